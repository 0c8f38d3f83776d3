import NIOSOCKS

/// Why a SOCKS 5 proxy (RFC 1928) did not connect us.
public enum ProxyFault: Hashable, Sendable {
    /// The proxy itself could not be reached.
    case notReached(NetworkFault)
    /// It was there, and did not finish its part in time.
    case silent
    /// It hung up before it had answered.
    case hungUp
    /// It wants to know who we are; we have nothing to say.
    case wantsAuthentication
    /// It answers what is no SOCKS 5.
    case noSOCKS
    /// It will not or cannot connect: what it says (RFC 1928, section 6).
    case refused(Reason)

    /// The reasons that a proxy can give.
    public enum Reason: Hashable, Sendable {
        /// It failed inside; Tor says this of names that it cannot look up.
        case generalFailure
        /// Its rules forbid the connection.
        case forbidden
        /// No way leads to the network of the other side.
        case networkUnreachable
        /// The other side cannot be reached, or its name is not known.
        case hostUnreachable
        /// Nobody listens on the other side.
        case connectionRefused
        /// The other side did not answer in time.
        case timedOut
        /// It does not connect at all.
        case commandUnsupported
        /// It knows no such addresses.
        case addressUnsupported
        /// A code without a meaning.
        case unknown(UInt8)

        init(code: UInt8) {
            self =
                switch code {
                case 1: .generalFailure
                case 2: .forbidden
                case 3: .networkUnreachable
                case 4: .hostUnreachable
                case 5: .connectionRefused
                case 6: .timedOut
                case 7: .commandUnsupported
                case 8: .addressUnsupported
                default: .unknown(code)
                }
        }
    }

    /// What an error means that comes before the proxy has connected us.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as SOCKSError.ConnectionFailed: .refused(Reason(code: error.reply.value))
            case is SOCKSError.InvalidAuthenticationSelection, is SOCKSError.NoValidAuthenticationMethod:
                .wantsAuthentication
            case is SOCKSError.InvalidProtocolVersion, is SOCKSError.InvalidReservedByte,
                is SOCKSError.InvalidAddressType, is SOCKSError.UnexpectedRead, is SOCKSError.InvalidClientState:
                .noSOCKS
            default: .notReached(NetworkFault(error))
            }
    }
}

extension ProxyFault: CustomStringConvertible {
    /// For the operator.
    public var description: String {
        switch self {
        case .notReached(let fault): "the proxy could not be reached: \(fault.reason)"
        case .silent: "the proxy did not connect in time"
        case .hungUp: "the proxy hung up"
        case .wantsAuthentication: "the proxy wants a user name"
        case .noSOCKS: "the proxy does not speak SOCKS 5"
        case .refused(let reason): "the proxy says: \(reason.reason)"
        }
    }
}

extension ProxyFault.Reason: CustomStringConvertible {
    /// For the operator.
    public var description: String {
        switch self {
        case .generalFailure: "it failed"
        case .forbidden: "not allowed"
        case .networkUnreachable: "the network cannot be reached"
        case .hostUnreachable: "the peer cannot be reached"
        case .connectionRefused: "the peer refuses the connection"
        case .timedOut: "the peer does not answer"
        case .commandUnsupported: "it makes no connections"
        case .addressUnsupported: "it does not know such addresses"
        case .unknown(let code): "code \(code)"
        }
    }
}
