import LightningCoding
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package enum NetworkFault: Error, Hashable, Sendable {
    /// The name does not resolve.
    case unknownName
    case refused
    case timedOut
    /// There is no route to the host.
    case unreachable
    case reset
    /// Not permitted: a firewall, or a privileged port.
    case forbidden
    /// The system is out of file descriptors or memory.
    case exhausted
    case taken
    /// The address is not a local one.
    case foreignAddress
    /// Anything else, by the system's error number.
    case system(errno: Int32)
    /// A SwiftNIO error without a number.
    case other

    init(_ error: any Error) {
        switch error {
        case let error as NIOConnectionError:
            // The system lists its preferred address first.
            self = error.connectionErrors.first.map { NetworkFault($0.error) } ?? .unknownName
        case let error as IOError: self.init(errno: error.errnoCode)
        case ChannelError.connectTimeout: self = .timedOut
        case ChannelError.ioOnClosedChannel, ChannelError.eof, ChannelError.alreadyClosed: self = .reset
        case is SocketAddressError.UnknownHost: self = .unknownName
        default: self = .other
        }
    }

    package init(errno number: Int32) {
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

extension NetworkFault: ReadableFault {
    package var reason: String {
        switch self {
        case .unknownName: "the name cannot be resolved"
        case .refused: "the connection was refused"
        case .timedOut: "no connection in time"
        case .unreachable: "the address cannot be reached"
        case .reset: "the connection was broken off"
        case .forbidden: "this machine does not allow it"
        case .exhausted: "this machine is out of file descriptors or memory"
        case .taken: "the address is already in use"
        case .foreignAddress: "this machine has no such address"
        case .system(let number): "system error \(number)"
        case .other: "the network failed"
        }
    }
}
