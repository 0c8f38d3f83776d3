public import LightningCoding

/// Why a push message cannot be read as a wake.
public enum WakeFault: JSONMemberFault, Hashable, Sendable {
    /// It is not JSON.
    case json(JSONFault)
    /// A member is missing or malformed.
    case member(String, JSONMemberProblem)
    /// It carries neither a wake nor a fallback alert.
    case noWake
    /// It is of a version other than 1.
    case version
    /// It was encrypted for another key, or modified.
    case authentication
    /// What was encrypted is not JSON.
    case plaintext

    /// The fault of the member at that path.
    public init(member path: String, _ problem: JSONMemberProblem) { self = .member(path, problem) }
}

extension WakeFault: ReadableFault {
    /// The text for the developer of an app.
    public var reason: String {
        switch self {
        case .json(let fault): "the push message is not JSON: \(fault.reason)"
        case .member(let path, let problem): DeviceMemberFault(member: path, problem).reason
        case .noWake: "the push message carries neither a wake nor a fallback alert"
        case .version: "the wake is of an unknown version; this software knows version 1"
        case .authentication: "the wake was encrypted for another key, or was modified"
        case .plaintext: "what the wake encrypts is not a message of its version"
        }
    }
}
