import LightningCoding
import Platform
import ResponderModel

/// A ledger that does not confirm the next claims, and fails to record the next events.
struct StumblingLedger<Base: EventLedger>: EventLedger {
    let base: Base
    /// How many claims are made without a confirmation.
    let unconfirmedClaims = Guarded(0)
    /// How many records fail.
    let failingRecords = Guarded(0)

    private static func takes(_ count: Guarded<Int>) -> Bool {
        count.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
    }

    func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim {
        let claim = try await base.claim(kind, limit: limit, for: holder, at: now, until: until, under: lease)
        if Self.takes(unconfirmedClaims) { throw .outcomeUnknown }
        return claim
    }

    func record(_ event: EventRecord, finishing id: OutboxID) async throws(LedgerFault) {
        if Self.takes(failingRecords) { throw .unreachable("connection refused") }
        try await base.record(event, finishing: id)
    }

    func record(_ event: EventRecord) async throws(LedgerFault) {
        if Self.takes(failingRecords) { throw .unreachable("connection refused") }
        try await base.record(event)
    }

    func freeClaims(
        of kind: OutboxKind, for holder: String, except ids: Set<OutboxID>, under lease: Lease,
        dueAt: @escaping @Sendable (OutboxWork) -> UnixTime
    ) async throws(LedgerFault) {
        try await base.freeClaims(of: kind, for: holder, except: ids, under: lease, dueAt: dueAt)
    }

    func add(_ work: OutboxWork, heldBy holder: String?) async throws(LedgerFault) {
        try await base.add(work, heldBy: holder)
    }

    func remove(_ id: OutboxID) async throws(LedgerFault) { try await base.remove(id) }

    func postpone(_ work: OutboxWork, until dueAt: UnixTime, because failure: String) async throws(LedgerFault) {
        try await base.postpone(work, until: dueAt, because: failure)
    }

    func reschedule(_ work: OutboxWork, until dueAt: UnixTime, because reason: String) async throws(LedgerFault) {
        try await base.reschedule(work, until: dueAt, because: reason)
    }

    func update(_ work: OutboxWork, to job: some OutboxJob, dueAt: UnixTime) async throws(LedgerFault) -> Bool {
        try await base.update(work, to: job, dueAt: dueAt)
    }

    func park(_ work: OutboxWork, at now: UnixTime, because failure: String) async throws(LedgerFault) {
        try await base.park(work, at: now, because: failure)
    }

    func forgetParked(
        _ kind: OutboxKind, limit: Int, at now: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> Int {
        try await base.forgetParked(kind, limit: limit, at: now, under: lease)
    }

    func retry(_ id: OutboxID, at now: UnixTime) async throws(LedgerFault) -> Bool {
        try await base.retry(id, at: now)
    }

    func count(_ kind: OutboxKind, about subject: OutboxSubject, upTo most: Int) async throws(LedgerFault) -> Int {
        try await base.count(kind, about: subject, upTo: most)
    }

    func work(_ id: OutboxID) async throws(LedgerFault) -> OutboxWork? { try await base.work(id) }

    func outbox(_ query: OutboxQuery) async throws(LedgerFault) -> Page<OutboxWork> { try await base.outbox(query) }

    func tellSettlementsOfAll(_ isWanted: Bool) async throws(LedgerFault) {
        try await base.tellSettlementsOfAll(isWanted)
    }

    func tellsSettlementsOfAll() async throws(LedgerFault) -> Bool { try await base.tellsSettlementsOfAll() }

    func events(_ query: EventQuery) async throws(LedgerFault) -> Page<EventRecord> { try await base.events(query) }

    func pruneEvents(
        before moment: UnixTime, keeping newest: UInt64, under lease: Lease
    ) async throws(LedgerFault) -> Int {
        try await base.pruneEvents(before: moment, keeping: newest, under: lease)
    }
}
