import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What the network or this machine did to a connection.
public enum NetworkFault: Error, Hashable, Sendable {
    /// No address belongs to the name.
    case unknownName
    /// Nobody listens there.
    case refused
    /// Nobody answered in time.
    case timedOut
    /// No way leads there.
    case unreachable
    /// The connection was broken off.
    case reset
    /// This machine forbids it: a firewall, or a port that is not ours to use.
    case forbidden
    /// This machine has no more files or memory to give.
    case exhausted
    /// Somebody listens there already.
    case taken
    /// The address is none of this machine's.
    case foreignAddress
    /// Anything else, by the system's error number.
    case system(errno: Int32)
    /// What SwiftNIO calls by no number.
    case other

    /// What an error of a socket means.
    init(_ error: any Error) {
        switch error {
        case let error as NIOConnectionError:
            // Of several addresses the first is the one that the system prefers.
            self = error.connectionErrors.first.map { NetworkFault($0.error) } ?? .unknownName
        case let error as IOError: self.init(errno: error.errnoCode)
        case ChannelError.connectTimeout: self = .timedOut
        case ChannelError.ioOnClosedChannel, ChannelError.eof, ChannelError.alreadyClosed: self = .reset
        case is SocketAddressError.UnknownHost: self = .unknownName
        default: self = .other
        }
    }

    /// What an error number of the system means.
    public init(errno number: Int32) {
        self =
            switch number {
            case ECONNREFUSED: .refused
            case ETIMEDOUT: .timedOut
            case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EAFNOSUPPORT: .unreachable
            case ECONNRESET, ECONNABORTED, EPIPE: .reset
            case EACCES, EPERM: .forbidden
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted
            case EADDRINUSE: .taken
            case EADDRNOTAVAIL: .foreignAddress
            default: .system(errno: number)
            }
    }
}

extension NetworkFault: CustomStringConvertible {
    /// For the operator.
    public var description: String {
        switch self {
        case .unknownName: "the name is not known"
        case .refused: "the connection was refused"
        case .timedOut: "no connection in time"
        case .unreachable: "the address cannot be reached"
        case .reset: "the connection was broken off"
        case .forbidden: "this machine does not allow it"
        case .exhausted: "this machine has no more files or memory to give"
        case .taken: "somebody listens there already"
        case .foreignAddress: "this machine has no such address"
        case .system(let number): "the system's error \(number)"
        case .other: "the network failed"
        }
    }
}
