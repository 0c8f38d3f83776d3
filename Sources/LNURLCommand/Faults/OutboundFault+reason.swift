import LightningCoding
import OutboundHTTP

extension OutboundFault {
    /// The fault for people, as a sentence.
    func reason(at url: HTTPURL) -> String {
        let host = url.authority
        return switch self {
        case .resolve: "There is no host \(host)."
        case .connect: "\(host) does not take the connection."
        case .refusedAddress: "The service points to \(host), which is inside a private network; not asked."
        case .onionWithoutProxy: "\(host) is reached through Tor: add --tor, with Tor running on this machine."
        case .proxy: "The proxy does not answer, or will not connect to \(host)."
        case .otherKey: "\(host) holds another key than the one that was expected of it."
        case .tls: "No secure connection to \(host): its certificate is not trusted, or is for another name."
        case .handshake: "No secure connection to \(host): it breaks off, or speaks no TLS."
        case .timeout(requestSent: false): "\(host) could not be reached in time."
        case .timeout(requestSent: true): "\(host) did not answer in time."
        case .connectionLost: "\(host) closed the connection before its answer was complete."
        case .malformedResponse: "What \(host) sends is not HTTP."
        case .headersTooLarge, .bodyTooLarge: "The answer of \(host) is too long."
        case .cancelled, .closed, .overloaded: "The request was given up."
        case .other(let code): "The request failed (libcurl \(code))."
        }
    }

    /// The fault's stable name for programs.
    var name: String {
        switch self {
        case .resolve: "no-such-host"
        case .connect: "connection-refused"
        case .refusedAddress: "refused-address"
        case .onionWithoutProxy: "onion-without-proxy"
        case .proxy: "proxy"
        case .otherKey: "other-key"
        case .tls: "tls"
        case .handshake: "tls-handshake"
        case .timeout: "timeout"
        case .connectionLost: "connection-lost"
        case .malformedResponse: "malformed-response"
        case .headersTooLarge: "headers-too-large"
        case .bodyTooLarge: "body-too-large"
        case .cancelled, .overloaded, .closed, .other: "network"
        }
    }
}
