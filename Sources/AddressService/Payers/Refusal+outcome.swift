import Receiving

extension Refusal {
    /// How it counts.
    var outcome: Outcome { cause == nil ? .refused : .failed }
}
