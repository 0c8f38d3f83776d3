import LightningCoding
import OutboundHTTP
import ResponderModel

/// Why a command has no result.
enum CommandFault: Error, Hashable, Sendable {
    /// The node could not be reached, and why.
    case unreachable(String)
    /// The operating system or the node denies access, and why.
    case notPermitted(String)
    /// The connection was lost before the response arrived. The node may have executed the command.
    case connectionLost
    /// The response took too long. The node may still execute the command.
    case timedOut
    case overloaded
    /// The node's own error: its code and message.
    case refused(code: Int64, message: String)
    /// The response is malformed, and why.
    case malformed(String)
    case cancelled
    case closed
}

extension CommandFault {
    /// Whether the node may be gone, so that cached responses are no longer valid.
    var leavesNodeInDoubt: Bool {
        switch self {
        case .unreachable, .notPermitted, .connectionLost, .timedOut, .malformed: true
        case .overloaded, .refused, .cancelled, .closed: false
        }
    }
}

/// The error codes that we handle (`common/jsonrpc_errors.h` of Core Lightning v26.06).
enum ErrorCode {
    static let labelExists: Int64 = 900
    static let preimageExists: Int64 = 901
    static let waitTimedOut: Int64 = 904
    static let offerAlreadyDisabled: Int64 = 1001
    static let runeNotAuthorized: Int64 = 1501
    static let runeNotPermitted: Int64 = 1502
    static let runeBlacklisted: Int64 = 1503

    /// Whether the error is about the rune (the credentials of clnrest), not about the command.
    static func isOfRune(_ code: Int64) -> Bool {
        code == runeNotAuthorized || code == runeNotPermitted || code == runeBlacklisted
    }
}

extension CommandFault {
    /// The node's own error in an object; nil when the object is not an error.
    init?(error: JSONValue) {
        guard let code = error["code"]?.int64, let message = error["message"]?.string else { return nil }
        let words = BackendFault.words(message)
        self = ErrorCode.isOfRune(code) ? .notPermitted(words) : .refused(code: code, message: words)
    }
}

extension CommandFault {
    init(_ fault: OutboundFault) {
        switch fault {
        case .connectionLost: self = .connectionLost
        case .cancelled: self = .cancelled
        case .overloaded: self = .overloaded
        case .closed: self = .closed
        default: self.init(BackendFault(fault))
        }
    }

    init(_ fault: BackendFault) {
        switch fault {
        case .unreachable(let reason): self = .unreachable(reason)
        case .refused(let reason): self = .notPermitted(reason)
        case .malformedAnswer(let reason): self = .malformed(reason)
        case .timedOut: self = .timedOut
        default: self = .unreachable(fault.reason)
        }
    }
}

extension BackendFault {
    init(_ fault: CommandFault) {
        switch fault {
        case .unreachable(let reason): self = .unreachable(reason)
        case .notPermitted(let reason): self = .refused(reason)
        case .connectionLost: self = .unreachable("the connection was lost")
        case .timedOut: self = .timedOut
        case .overloaded: self = .unreachable("too many commands are waiting for the node")
        case .refused(ErrorCode.labelExists, _), .refused(ErrorCode.preimageExists, _): self = .duplicate
        case .refused(let code, let message): self = .refused("\(code): \(message)")
        case .malformed(let reason): self = .malformedAnswer(reason)
        case .cancelled: self = .unreachable("cancelled")
        case .closed: self = .unreachable("closed")
        }
    }
}
