import Platform
import Contracts
import ResponderCore

/// Whether each node tells of its payments. A stream that breaks off at once each time it is opened shows nothing by itself: invoices
/// go out, are paid, and stay open.
final class SettlementWatch: Sendable {
    private let streams: Guarded<[BackendName: StreamRecord]>
    private let clock: MonotonicClock

    init(_ names: some Sequence<BackendName>, clock: MonotonicClock = .system) {
        streams = Guarded(Dictionary(uniqueKeysWithValues: names.map { ($0, StreamRecord()) }))
        self.clock = clock
    }

    /// What an event is to the operator: nil when it was told of a moment ago.
    func note(_ event: SettlementFollower.Event) -> Notice? {
        let now = clock.now()
        switch event {
        case .settled(let invoice):
            change(invoice.backend) { $0.hasTold() }
            return .told
        case .skipped(let name, _):
            change(name) { $0.hasTold() }
            return .told
        case .countedAnew, .reconciliationCut: return .told
        case .interrupted(let name, let error):
            return change(name) { $0.hasBroken(at: now, byLedger: error is LedgerFault) }.map(Notice.broken)
        case .resumed(let name): return change(name) { $0.hasOpened(at: now) } ? .resumed : nil
        }
    }

    /// What is worth a line of the log.
    enum Notice: Hashable {
        case told
        /// It has broken off, so often since that was last said.
        case broken(times: Int)
        case resumed
    }

    /// Whether the node tells of its payments, as far as is known.
    func isWorking(_ name: BackendName) -> Bool {
        let now = clock.now()
        return streams.withLock { $0[name]?.isWorking(at: now) ?? true }
    }

    /// Whether its stream last broke off because the ledger failed: the node is not to blame.
    func isHeldUpByLedger(_ name: BackendName) -> Bool {
        streams.withLock { $0[name]?.wasBrokenByLedger ?? false }
    }

    /// The nodes that are followed, by name, and whether they tell of their payments.
    var states: [(name: BackendName, isWorking: Bool)] {
        let now = clock.now()
        return streams.withLock { streams in streams.map { ($0.key, $0.value.isWorking(at: now)) } }
            .sorted { $0.0.description < $1.0.description }
    }

    @discardableResult
    private func change<Result>(_ name: BackendName, _ body: (inout StreamRecord) -> Result) -> Result {
        streams.withLock { streams in body(&streams[name, default: StreamRecord()]) }
    }
}

/// How one node's stream of settlements has gone.
struct StreamRecord: Sendable {
    private var openedAt: MonotonicTime?
    /// How long it held the last time; nil when it has never broken off since it worked.
    private var lastHeld: Duration?
    private var saidAt: MonotonicTime?
    private var untold = 0
    private var isSaid = false
    private(set) var wasBrokenByLedger = false

    /// The least time for which a stream must hold after a break to count as working.
    private static let trial = Duration.seconds(2)
    /// How often a break is told of.
    private static let period = Duration.seconds(60)

    /// A settlement came.
    mutating func hasTold() { lastHeld = nil }

    /// The stream broke off.
    ///
    /// - Returns: how often it has since that was last said; nil when it is too early to say so again.
    mutating func hasBroken(at now: MonotonicTime, byLedger: Bool = false) -> Int? {
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
    /// - Returns: whether it is worth saying: the break was.
    mutating func hasOpened(at now: MonotonicTime) -> Bool {
        openedAt = now
        defer { isSaid = false }
        return isSaid
    }

    /// It works when it has held for twice as long as the last time.
    func isWorking(at now: MonotonicTime) -> Bool {
        guard let lastHeld else { return true }
        guard let openedAt else { return false }
        return now - openedAt >= max(lastHeld * 2, Self.trial)
    }
}
