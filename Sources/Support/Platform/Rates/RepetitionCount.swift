/// Decides which of many equal events are reported at once, and counts the others: a pure state machine, driven by the
/// ends of intervals.
///
/// The first event of a kind starts an interval; those within it are counted. At its end the count is reported and the
/// next interval starts; an interval without events is the last.
package struct RepetitionCount<Kind: Hashable & Sendable>: Sendable {
    package struct Interval: Hashable, Sendable {
        /// The kind; nil for those that share one count.
        package let kind: Kind?
    }

    private let capacity: Int
    private var counts: [Kind?: Int] = [:]

    /// Creates an empty one.
    ///
    /// - Parameter capacity: how many kinds are counted separately; the rest share one count, under nil.
    package init(capacity: Int = 256) {
        self.capacity = capacity
    }

    /// Handles an event.
    ///
    /// - Returns: the interval that it starts; nil when it is only counted.
    package mutating func note(_ kind: Kind) -> Interval? {
        let kind: Kind? = counts[kind] != nil || counts.count < capacity ? kind : nil
        if let count = counts[kind] {
            counts[kind] = count + 1
            return nil
        }
        counts[kind] = 0
        return Interval(kind: kind)
    }

    /// Ends an interval.
    ///
    /// - Returns: how many events were in it; nil when there were none and no interval follows.
    package mutating func end(_ interval: Interval) -> Int? {
        let kind = interval.kind
        guard let count = counts[kind], count > 0 else {
            counts[kind] = nil
            return nil
        }
        counts[kind] = 0
        return count
    }
}
