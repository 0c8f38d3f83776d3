import ResponderModel

/// A failure of a node, or of the connection to it.
package enum NodeTrouble: CaseIterable, Sendable {
    /// The connection is refused.
    case gone
    /// Calls are accepted, then the connection breaks.
    case breakingOff
    /// Calls are accepted and never answered.
    case silent
    /// Something other than the node answers: an HTML page.
    case garbage
    /// A response is cut off, but its framing is complete.
    case halfDocument
    /// Each response is 100 MB long.
    case flooding
    /// Our credentials are rejected.
    case denied

    var words: String {
        switch self {
        case .gone: "is down"
        case .breakingOff: "drops connections"
        case .silent: "never answers"
        case .garbage: "responds with garbage"
        case .halfDocument: "truncates its responses"
        case .flooding: "responds with 100 MB"
        case .denied: "rejects our credentials"
        }
    }

    /// Whether a call may end this way during the failure.
    func explains(_ fault: BackendFault?) -> Bool {
        switch (self, fault) {
        case (.gone, .unreachable), (.breakingOff, .unreachable), (.silent, .timedOut), (.denied, .refused): true
        case (.garbage, .malformedAnswer), (.halfDocument, .malformedAnswer), (.flooding, .malformedAnswer): true
        // A program that sends garbage is terminated, and so is a stream of settlements.
        case (.garbage, .unreachable), (.halfDocument, .unreachable), (.flooding, .unreachable): true
        default: false
        }
    }
}
