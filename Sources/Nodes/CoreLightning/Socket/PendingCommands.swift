/// The pending commands of one connection, and their waiters.
///
/// An abandoned command stays pending until its response arrives: the node is still busy with it, and freeing the slot
/// would let work pile up at a slow node.
struct PendingCommands<Waiter> {
    enum Match {
        case waiter(Waiter)
        case nobody
        case unknown
    }

    private struct Entry {
        var waiter: Waiter?
        let waitsForEvent: Bool
        /// How many responses had arrived when the command was sent.
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

    /// Adds a command that was sent, with a number of its own.
    ///
    /// - Returns: false when the maximum is pending; then nothing has changed.
    mutating func add(_ number: UInt64, _ waiter: Waiter, waitsForEvent: Bool) -> Bool {
        let isFull = waitsForEvent ? eventCount >= maximumEvents : entries.count - eventCount >= maximum
        guard !isFull, entries[number] == nil else { return false }
        if waitsForEvent { eventCount += 1 }
        entries[number] = Entry(waiter: waiter, waitsForEvent: waitsForEvent, answersBefore: answerCount)
        return true
    }

    mutating func answer(_ number: UInt64) -> Match {
        guard let entry = entries.removeValue(forKey: number) else { return .unknown }
        if entry.waitsForEvent { eventCount -= 1 }
        answerCount += 1
        return entry.waiter.map(Match.waiter) ?? .nobody
    }

    /// Abandons a command.
    ///
    /// - Returns: the waiter, and whether no response at all has arrived since the command was sent; nil when nobody
    ///   waited.
    mutating func giveUp(_ number: UInt64) -> (waiter: Waiter, isSilent: Bool)? {
        guard let entry = entries[number], let waiter = entry.waiter else { return nil }
        entries[number]?.waiter = nil
        return (waiter, entry.answersBefore == answerCount)
    }

    mutating func removeAll() -> [Waiter] {
        defer {
            entries = [:]
            eventCount = 0
        }
        return entries.values.compactMap(\.waiter)
    }
}
