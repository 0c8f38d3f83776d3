import Contracts

/// What can be the matter with a node, or with the way to it.
public enum NodeTrouble: CaseIterable, Sendable {
    /// Nobody is there.
    case gone
    /// Calls are taken, and then the connection breaks off.
    case breakingOff
    /// Calls are taken, and never answered.
    case silent
    /// Something else than the node answers: a page of HTML.
    case garbage
    /// An answer stops in its middle, and yet is whole as far as its frame goes.
    case halfDocument
    /// Each answer has 100 MB.
    case flooding
    /// Our credentials are not accepted.
    case denied

    var words: String {
        switch self {
        case .gone: "is gone"
        case .breakingOff: "breaks off"
        case .silent: "never answers"
        case .garbage: "answers garbage"
        case .halfDocument: "answers half a document"
        case .flooding: "answers 100 MB"
        case .denied: "lets us in no more"
        }
    }

    /// Whether a call may end so, while the trouble lasts.
    func explains(_ fault: BackendFault?) -> Bool {
        switch (self, fault) {
        case (.gone, .unreachable), (.breakingOff, .unreachable), (.silent, .timedOut), (.denied, .refused): true
        case (.garbage, .malformedAnswer), (.halfDocument, .malformedAnswer), (.flooding, .malformedAnswer): true
        // A program that talks nonsense is ended, and so is a stream of settlements.
        case (.garbage, .unreachable), (.halfDocument, .unreachable), (.flooding, .unreachable): true
        default: false
        }
    }
}
