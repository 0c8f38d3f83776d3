import LightningCoding
import OutboundHTTP

extension OutboundFault {
    /// The fault for people, as a sentence.
    func reason(at url: HTTPURL) -> String {
        let host = url.authority
        return switch self {
        case .resolve: "The host \(host) does not exist."
        case .connect: "\(host) refused the connection."
        case .refusedAddress: "The service points to \(host), which is in a private network; no request was sent."
        case .onionWithoutProxy: "\(host) is reached through Tor: add --tor, with Tor running on this machine."
        case .proxy: "The proxy does not answer, or refuses to connect to \(host)."
        case .otherKey: "\(host) has a different key than expected."
        case .tls(let fault): "No secure connection to \(host): \(fault.reason)."
        case .handshake: "No secure connection to \(host): the handshake failed, or it does not use TLS."
        case .timeout(requestSent: false): "\(host) could not be reached in time."
        case .timeout(requestSent: true): "\(host) did not answer in time."
        case .connectionLost: "\(host) closed the connection before its answer was complete."
        case .malformedResponse: "The answer of \(host) is not HTTP."
        case .headersTooLarge, .bodyTooLarge: "The answer of \(host) is too long."
        case .cancelled, .closed, .overloaded: "The request was cancelled."
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
