public import LightningCoding

/// Why a request has no answer.
public enum OutboundFault: Error, Hashable, Sendable {
    /// The host's name has no address.
    case resolve
    /// No address of the host took the connection; those that the policy forbids were not asked.
    case connect
    /// The policy forbids the host, or every address that its name led to.
    case refusedAddress
    /// An `.onion` host, but no SOCKS proxy to reach it by; its name is never looked up in the DNS.
    case onionWithoutProxy
    /// The proxy did not answer or would not connect.
    case proxy
    /// No secure connection: the certificate is not trusted, or is for another name.
    case tls
    /// No secure connection: the handshake broke off, or what answers speaks no TLS of ours.
    case handshake
    /// The server holds another key than ``HTTPClient/Configuration/pinnedKey``.
    case otherKey
    /// The request's time was over. Once the request was sent, the server may have acted on it.
    case timeout(requestSent: Bool)
    /// The connection broke. Once the request was sent, the server may have acted on it.
    case connectionLost(requestSent: Bool)
    /// What came back is not HTTP.
    case malformedResponse
    /// The answer's header fields are longer than the limit.
    case headersTooLarge
    /// The answer's body is longer than the limit.
    case bodyTooLarge
    /// The task that waited was cancelled.
    case cancelled
    /// Too many requests wait already.
    case overloaded
    /// The client was closed.
    case closed
    /// Another failure, by libcurl's number.
    case other(code: Int)

    /// Whether the server may have received, and acted on, the request.
    public var mayHaveReachedServer: Bool {
        switch self {
        case .resolve, .connect, .refusedAddress, .onionWithoutProxy, .proxy, .tls, .handshake, .otherKey, .overloaded:
            false
        case .timeout(let requestSent), .connectionLost(let requestSent): requestSent
        case .malformedResponse, .headersTooLarge, .bodyTooLarge, .cancelled, .closed, .other: true
        }
    }
}

extension OutboundFault: ReadableFault {
    /// What the operator reads.
    public var reason: String {
        switch self {
        case .resolve: "the host has no address"
        case .connect: "nobody listens there"
        case .refusedAddress: "the host's addresses may not be asked"
        case .onionWithoutProxy: "the host is an onion service, and no SOCKS proxy is configured"
        case .proxy: "the proxy does not answer, or will not connect"
        case .tls: "the server's certificate is not trusted, or is for another name"
        case .handshake: "the TLS handshake broke off"
        case .otherKey: "the server's certificate has changed: its key is not the one in our file"
        case .timeout(requestSent: false): "no connection in time"
        case .timeout(requestSent: true): "no answer in time"
        case .connectionLost: "the connection broke off"
        case .malformedResponse: "the answer is no HTTP"
        case .headersTooLarge, .bodyTooLarge: "the answer is too long"
        case .cancelled: "the request was given up"
        case .overloaded: "too many requests wait already"
        case .closed: "the client was closed"
        case .other(let code): "the request failed (libcurl \(code))"
        }
    }
}
