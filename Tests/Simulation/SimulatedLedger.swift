import LedgerRecords
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger

/// The real ledger as an instance reaches it: each transaction may fail, succeed without an answer, or be the last.
struct SimulatedLedger: SQLLedger {
    let instance: Instance
    let observers = Observers<LedgerFact>()

    private var inner: LedgerDatabase { instance.world.ledger }

    func read<Result: Sendable>(
        within time: Duration?, _ body: @escaping @Sendable (SQLiteLedger.Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await reading { ledger throws(LedgerFault) in try await ledger.read(within: time, body) }
    }

    func write<Result: Sendable>(
        under lease: Lease?, within time: Duration?,
        _ body: @escaping @Sendable (SQLiteLedger.Connection) throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await writing(under: lease) { ledger throws(LedgerFault) in
            try await ledger.write(under: lease, within: time, body)
        }
    }

    private func reading<Result: Sendable>(
        _ operation: @escaping @Sendable (LedgerDatabase) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let world = instance.world
        await instance.step("reads")
        if world.hasFaults, world.faults.isOne(of: 60) { throw .unreachable("simulated") }
        let result = try world.scheduler.outside { [inner] () async throws(LedgerFault) in try await operation(inner) }
        await instance.step("has read")
        return result
    }

    /// - Parameter isWrite: whether something was written; what writes nothing needs no lease.
    private func writing<Result: Sendable>(
        under lease: Lease? = nil, isWrite: (Result) -> Bool = { _ in true },
        _ operation: @escaping @Sendable (LedgerDatabase) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        let world = instance.world
        await instance.step("writes")
        if world.hasFaults, world.faults.isOne(of: 60) { throw .busy }
        let result = try world.scheduler.outside { [inner] () async throws(LedgerFault) in try await operation(inner) }
        world.check(under: isWrite(result) ? lease : nil)
        if world.hasFaults, world.faults.isOne(of: 400) { world.kill(instance) }
        await instance.step("has written")
        if world.hasFaults, world.faults.isOne(of: 60) { throw .outcomeUnknown }
        return result
    }

    // What SQLite's ledger does in its own way.

    func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault) {
        try await writing { ledger throws(LedgerFault) in try await ledger.record(invoice, using: claim) }
        observers.tell(.issued(invoice))
    }

    func invoice(_ paymentHash: PaymentHash, createdAt: UnixTime?) async throws(LedgerFault) -> IssuedInvoice? {
        try await reading { ledger throws(LedgerFault) in
            try await ledger.invoice(paymentHash, createdAt: createdAt)
        }
    }

    func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice? {
        try await reading { ledger throws(LedgerFault) in try await ledger.answer(to: request, at: now) }
    }

    func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault? {
        try await reading { ledger throws(LedgerFault) in try await ledger.obstacle(to: claim, at: now) }
    }

    func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice] {
        try await reading { ledger throws(LedgerFault) in
            try await ledger.expiredInvoices(of: backend, before: moment, after: mark, limit: limit)
        }
    }

    func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int {
        try await writing(under: lease, isWrite: { _ in !paymentHashes.isEmpty }) { ledger throws(LedgerFault) in
            try await ledger.forgetExpired(paymentHashes, issuedIn: span, before: moment, under: lease)
        }
    }

    func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime, under lease: Lease?
    ) async throws(LedgerFault) -> OutboxClaim {
        try await writing(under: lease, isWrite: { !$0.work.isEmpty }) { ledger throws(LedgerFault) in
            try await ledger.claim(kind, limit: limit, for: holder, at: now, until: until, under: lease)
        }
    }

    func ownTime() throws(LedgerFault) -> StoredValue { try inner.ownTime() }
    func time() async throws(LedgerFault) -> Duration? { nil }
    func makePartition(for moment: UnixTime) {}
    var statistics: LedgerStatistics { inner.statistics }
    var sharedRates: (any SharedRates)? { nil }
    var sharedReplies: (any SharedReplies)? { nil }

    // What no instance asks for here.

    func fileProblems() async throws(LedgerFault) -> [String] { [] }
    func snapshot(to path: String) async throws(LedgerFault) { throw .readOnly }
    func close() async {}
    func accountsRevision(otherThan known: UInt64) async throws(LedgerFault) -> UInt64 { throw .readOnly }
    func add(_ rows: [[StoredValue]], to table: LedgerTable) async throws(LedgerFault) { throw .readOnly }
    func finishAdding() async throws(LedgerFault) { throw .readOnly }
    func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result { throw .readOnly }
}
