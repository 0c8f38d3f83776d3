/// Which commands of one connection have no answer yet, and who waits for them.
///
/// A command that was given up keeps its place until its answer comes: the node is still busy with it, and a place that was free
/// again would let the work at a slow node pile up without limit.
struct PendingCommands<Waiter> {
    /// What an answer is for.
    enum Match {
        /// This waiter.
        case waiter(Waiter)
        /// A command that was given up.
        case nobody
        /// Nothing that was asked.
        case unknown
    }

    private struct Entry {
        var waiter: Waiter?
        let waitsForEvent: Bool
        /// How many answers had come when the command left.
        let answersBefore: UInt64
    }

    private let maximum: Int
    private let maximumEvents: Int
    private var entries: [UInt64: Entry] = [:]
    private var eventCount = 0
    private var answerCount: UInt64 = 0

    init(maximum: Int, maximumEvents: Int) {
        self.maximum = maximum
        self.maximumEvents = maximumEvents
    }

    /// How many commands have no answer.
    var count: Int { entries.count }

    /// One more command has left, under a number of its own.
    ///
    /// - Returns: false when as many are pending as may be; then nothing has changed.
    mutating func add(_ number: UInt64, _ waiter: Waiter, waitsForEvent: Bool) -> Bool {
        let isFull = waitsForEvent ? eventCount >= maximumEvents : entries.count - eventCount >= maximum
        guard !isFull, entries[number] == nil else { return false }
        if waitsForEvent { eventCount += 1 }
        entries[number] = Entry(waiter: waiter, waitsForEvent: waitsForEvent, answersBefore: answerCount)
        return true
    }

    /// An answer has come.
    mutating func answer(_ number: UInt64) -> Match {
        guard let entry = entries.removeValue(forKey: number) else { return .unknown }
        if entry.waitsForEvent { eventCount -= 1 }
        answerCount += 1
        return entry.waiter.map(Match.waiter) ?? .nobody
    }

    /// Nobody waits any longer.
    ///
    /// - Returns: who waited, and whether no answer at all has come since the command left; nil when nobody waited.
    mutating func giveUp(_ number: UInt64) -> (waiter: Waiter, isSilent: Bool)? {
        guard let entry = entries[number], let waiter = entry.waiter else { return nil }
        entries[number]?.waiter = nil
        return (waiter, entry.answersBefore == answerCount)
    }

    /// Everybody who waits; afterwards nothing is pending.
    mutating func removeAll() -> [Waiter] {
        defer {
            entries = [:]
            eventCount = 0
        }
        return entries.values.compactMap(\.waiter)
    }
}
