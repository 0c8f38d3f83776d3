import LightningCoding

package enum OutboundFault: Error, Hashable, Sendable {
    /// The host's name does not resolve.
    case resolve
    /// No address of the host accepted the connection; addresses that the policy forbids were not tried.
    case connect
    /// The policy forbids the host, or all its resolved addresses.
    case refusedAddress
    /// An `.onion` host without a SOCKS proxy; its name is never looked up in the DNS.
    case onionWithoutProxy
    /// The proxy did not answer or refused to connect.
    case proxy
    /// TLS failed: the certificate is not accepted.
    case tls(CertificateFault)
    /// TLS failed: the handshake broke off, or the server does not support our TLS versions.
    case handshake
    /// The server's key is not ``HTTPClient/Configuration/pinnedKey``.
    case otherKey
    /// The request timed out. Once sent, the server may have acted on it.
    case timeout(requestSent: Bool)
    /// The connection was lost. Once the request was sent, the server may have acted on it.
    case connectionLost(requestSent: Bool)
    /// The response is not HTTP, or not HTTP/2 where that is required.
    case malformedResponse
    case headersTooLarge
    case bodyTooLarge
    case canceled
    /// Too many requests are waiting, or are on their way to the host's network.
    case overloaded
    case closed
    /// Another failure, with libcurl's code.
    case other(code: Int)

    /// Whether the server may have received, and acted on, the request.
    package var mayHaveReachedServer: Bool {
        switch self {
        case .resolve, .connect, .refusedAddress, .onionWithoutProxy, .proxy, .tls, .handshake, .otherKey, .overloaded:
            false
        case .timeout(let requestSent), .connectionLost(let requestSent): requestSent
        case .malformedResponse, .headersTooLarge, .bodyTooLarge, .canceled, .closed, .other: true
        }
    }
}

/// Why a server's certificate is not accepted.
package enum CertificateFault: Hashable, Sendable {
    /// It has expired, or an issuer's has.
    case expired
    /// It is not valid yet, or an issuer's is not.
    case notYetValid
    /// It is signed with its own key, and not trusted itself.
    case selfSigned
    case otherName
    /// Its issuer's certificate is neither sent by the server nor trusted.
    case unknownIssuer
    /// The authority at the end of the chain is not trusted.
    case unknownAuthority
    case unreadableAuthorities
    case other

    package var reason: String {
        switch self {
        case .expired: "the server's certificate has expired"
        case .notYetValid: "the server's certificate is not valid yet, or this machine's clock is behind"
        case .selfSigned: "the server's certificate is self-signed"
        case .otherName: "the server's certificate is for another name"
        case .unknownIssuer:
            "the server's certificate is from an unknown issuer: the server does not send an intermediate certificate, "
                + "or the authority is not trusted"
        case .unknownAuthority: "the server's certificate is from an authority that is not trusted"
        case .unreadableAuthorities: "the file of trusted certificates cannot be read"
        case .other: "the server's certificate is not accepted"
        }
    }
}

extension OutboundFault: ReadableFault {
    package var reason: String {
        switch self {
        case .resolve: "the host has no address"
        case .connect: "nothing is listening there"
        case .refusedAddress: "the host's addresses are not allowed"
        case .onionWithoutProxy: "the host is an onion service, and no SOCKS proxy is configured"
        case .proxy: "the proxy does not answer, or refuses to connect"
        case .tls(let fault): fault.reason
        case .handshake: "the TLS handshake failed"
        case .otherKey: "the server's certificate has changed: its key is not the one in our file"
        case .timeout(requestSent: false): "no connection in time"
        case .timeout(requestSent: true): "no answer in time"
        case .connectionLost: "the connection was lost"
        case .malformedResponse: "the answer is not HTTP"
        case .headersTooLarge, .bodyTooLarge: "the answer is too long"
        case .canceled: "the request was canceled"
        case .overloaded: "too many requests are waiting or on their way there"
        case .closed: "the client was closed"
        case .other(let code): "the request failed (libcurl \(code))"
        }
    }
}
