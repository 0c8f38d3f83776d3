import LightningCoding
import OutboundHTTP
import ResponderModel

/// Why a command has no result.
enum CommandFault: Error, Hashable, Sendable {
    /// The node's own error: its code and message.
    case refused(code: Int64, message: String)
    /// The operating system or the node denies access, and why.
    case notPermitted(String)
    case canceled
    /// The node cannot be reached, does not answer in time, or answers what cannot be read. It may have executed the
    /// command.
    case backend(BackendFault)

    static func malformed(_ what: String) -> CommandFault { .backend(.malformedAnswer(what)) }

    static let connectionLost = CommandFault.backend(.unreachable("the connection was lost"))

    /// Whether the node may be gone, so that cached responses are no longer valid.
    var leavesNodeInDoubt: Bool {
        switch self {
        case .refused, .canceled, .backend(.overloaded): false
        case .notPermitted, .backend: true
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
    init(_ fault: OutboundFault) { self = fault == .canceled ? .canceled : CommandFault(BackendFault(fault)) }

    init(_ fault: BackendFault) {
        if case .refused(let reason) = fault { self = .notPermitted(reason) } else { self = .backend(fault) }
    }
}

extension BackendFault {
    init(_ fault: CommandFault) {
        switch fault {
        case .notPermitted(let reason): self = .refused(reason)
        case .refused(ErrorCode.labelExists, _), .refused(ErrorCode.preimageExists, _): self = .duplicate
        case .refused(let code, let message): self = .refused("\(code): \(message)")
        case .canceled: self = .unreachable("canceled")
        case .backend(let fault): self = fault
        }
    }
}
