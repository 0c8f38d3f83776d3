import Responding

extension Refusal {
    /// How it counts.
    var outcome: Outcome {
        if case .unavailable = self { .failed } else { .refused }
    }

    /// What belongs into the log: only what failed inside, which holds no secrets.
    var cause: String? {
        if case .unavailable(let cause) = self { "\(cause)" } else { nil }
    }

    /// Whether a node made another invoice than was ordered.
    var isMismatch: Bool {
        if case .unavailable(.inspection) = self { true } else { false }
    }
}
