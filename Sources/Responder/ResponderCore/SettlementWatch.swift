package import Platform
package import ResponderModel

/// Whether each node reports its payments. A stream that breaks each time it is opened is otherwise invisible: invoices
/// are issued and paid, but stay open.
package final class SettlementWatch: Sendable {
    private let streams: Guarded<[BackendName: StreamRecord]>
    private let clock: MonotonicClock

    package init(_ names: some Sequence<BackendName>, clock: MonotonicClock = .system) {
        streams = Guarded(Dictionary(uniqueKeysWithValues: names.map { ($0, StreamRecord()) }))
        self.clock = clock
    }

    /// What to log for an event; nil when it was logged recently.
    package func note(_ event: SettlementFollower.Event) -> Notice? {
        let now = clock.now()
        switch event {
        case .settled(let invoice):
            change(invoice.backend) { $0.reported() }
            return .told
        case .skipped(let name, _):
            change(name) { $0.reported() }
            return .told
        case .renumbered, .reconciliationCut: return .told
        case .interrupted(let name, let error):
            return change(name) { $0.hasBroken(at: now, byLedger: error is LedgerFault) }.map(Notice.broken)
        case .resumed(let name): return change(name) { $0.hasOpened(at: now) } ? .resumed : nil
        }
    }

    /// Following begins anew: what was known of the stream is another instance's matter, or long ago.
    package func begin(_ name: BackendName) {
        change(name) { $0 = StreamRecord() }
    }

    package enum Notice: Hashable {
        case told
        /// It has broken, this many times since last logged.
        case broken(times: Int)
        case resumed
    }

    /// Whether the node reports its payments, as far as known.
    package func isWorking(_ name: BackendName) -> Bool {
        let now = clock.now()
        return streams.withLock { $0[name]?.isWorking(at: now) ?? true }
    }

    /// Whether its stream last broke because the ledger failed, which is not the node's fault.
    package func isHeldUpByLedger(_ name: BackendName) -> Bool {
        streams.withLock { $0[name]?.wasBrokenByLedger ?? false }
    }

    /// The followed nodes, by name, and whether they report their payments.
    package var states: [(name: BackendName, isWorking: Bool)] {
        let now = clock.now()
        return streams.withLock { streams in streams.map { ($0.key, $0.value.isWorking(at: now)) } }
            .sorted { $0.0.description < $1.0.description }
    }

    @discardableResult
    private func change<Result>(_ name: BackendName, _ body: (inout StreamRecord) -> Result) -> Result {
        streams.withLock { streams in body(&streams[name, default: StreamRecord()]) }
    }
}

package struct StreamRecord: Sendable {
    private var openedAt: MonotonicTime?
    /// How long it last stayed open; nil when it has not broken since it last worked.
    private var lastHeld: Duration?
    private var saidAt: MonotonicTime?
    private var untold = 0
    private var isSaid = false
    private(set) var wasBrokenByLedger = false

    /// How long a stream must stay open after a break, at least, to count as working.
    private static let trial = Duration.seconds(2)
    private static let period = Duration.seconds(60)

    package mutating func reported() { lastHeld = nil }

    /// The stream broke.
    ///
    /// - Returns: how many times it has since last logged; nil when it is too early to log again.
    package mutating func hasBroken(at now: MonotonicTime, byLedger: Bool = false) -> Int? {
        wasBrokenByLedger = byLedger
        lastHeld = openedAt.map { now - $0 } ?? .zero
        openedAt = nil
        untold += 1
        if let saidAt, now < saidAt + Self.period { return nil }
        saidAt = now
        isSaid = true
        defer { untold = 0 }
        return untold
    }

    /// The node answers, and the stream is opened again.
    ///
    /// - Returns: whether to log it, which is so when the break was logged.
    package mutating func hasOpened(at now: MonotonicTime) -> Bool {
        openedAt = now
        defer { isSaid = false }
        return isSaid
    }

    /// It works once it has stayed open for twice as long as last time.
    package func isWorking(at now: MonotonicTime) -> Bool {
        guard let lastHeld else { return true }
        guard let openedAt else { return false }
        return now - openedAt >= max(lastHeld * 2, Self.trial)
    }
}
