/// Which of many equal things are worth a line at once, and how many came after: a pure machine, driven by the ends of
/// intervals.
///
/// The first thing of a kind begins an interval; those that come within it are counted. At its end they are told as one number,
/// and the next interval begins; an interval without any is the last.
public struct RepetitionCount<Kind: Hashable & Sendable>: Sendable {
    /// What is counted together.
    public struct Interval: Hashable, Sendable {
        /// The kind; nil for all that are not told apart.
        public let kind: Kind?
    }

    private let capacity: Int
    private var counts: [Kind?: Int] = [:]

    /// Nothing has come yet.
    ///
    /// - Parameter capacity: how many kinds are told apart at once; all above share one count, under nil.
    public init(capacity: Int = 256) {
        self.capacity = capacity
    }

    /// Something has come.
    ///
    /// - Returns: the interval that it begins; nil when it is counted only.
    public mutating func note(_ kind: Kind) -> Interval? {
        let kind: Kind? = counts[kind] != nil || counts.count < capacity ? kind : nil
        if let count = counts[kind] {
            counts[kind] = count + 1
            return nil
        }
        counts[kind] = 0
        return Interval(kind: kind)
    }

    /// An interval is over.
    ///
    /// - Returns: how many came within it; nil when none did, and no interval follows.
    public mutating func end(_ interval: Interval) -> Int? {
        let kind = interval.kind
        guard let count = counts[kind], count > 0 else {
            counts[kind] = nil
            return nil
        }
        counts[kind] = 0
        return count
    }
}
