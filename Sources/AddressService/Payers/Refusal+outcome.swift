import Responding

extension Refusal {
    /// How it counts.
    var outcome: Outcome { cause == nil ? .refused : .failed }

    /// Whether a node made another invoice than was ordered.
    var isMismatch: Bool {
        if case .unavailable(.inspection) = self { true } else { false }
    }
}
