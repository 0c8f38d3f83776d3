import Bolt12
import Contracts
import LedgerContract
import LedgerRecords
import LightningCoding
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import PostgreSQLStorage
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite(
    "Copying ledgers", .timeLimit(.minutes(4)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct CopyTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String = "ledger") async throws -> LedgerDatabase {
        try await LedgerDatabase.open(at: "\(folder.path)/\(name).sqlite")
    }

    /// Something of everything.
    private static func fill(_ ledger: any Ledger) async throws {
        try await ledger.put("alice", "One")
        try await ledger.put("alice", "For alice")
        try await ledger.put("bob")
        _ = try await ledger.removeAccount(named: Sample.account("bob"))
        try await ledger.tellSettlementsOfAll(true)
        try await ledger.bind(.embedded, to: Sample.node(1))
        for number in UInt64(1)...1_200 {
            let words = InvoiceOrigin.PayerWords(metadataVersion: 2, comment: number == 3 ? "Hi ⚡️" : nil)
            try await ledger.record(Sample.invoice(number * 100, words: words), using: nil)
        }
        let offer = try await ledger.putOffer(Sample.offer(1, maximumPayments: 5))
        let offered = try Sample.offeredInvoice(7, for: offer)
        try await ledger.record(
            offered, using: .offer(OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [1]))))
        try await ledger.record(
            Sample.invoice(8, words: .init(metadataVersion: 2)), using: .challenge(Sample.challenge(1)))
        _ = try await ledger.record(Sample.settlement(100, cursor: "77"), from: .embedded)
        try await ledger.noteFollowing(.embedded, at: Sample.start)
        try await ledger.record(Sample.event(1))
        try await ledger.add(Sample.work(1), heldBy: nil)
    }

    /// What a user of a ledger sees of it.
    private struct View: Equatable {
        let accounts: [Account]
        let invoices: [IssuedInvoice]
        let offers: [IssuedOffer]
        let events: [EventRecord]
        let work: [OutboxWork]
        let totals: LedgerTotals
        let cursor: SettlementCursor?
        let answer: IssuedInvoice?

        init(_ ledger: any Ledger) async throws {
            accounts = try await ledger.accounts()
            var query = InvoiceQuery(now: Sample.start, limit: 1_000)
            var all: [IssuedInvoice] = []
            repeat {
                let page = try await ledger.invoices(query)
                all += page.invoices
                query.after = page.next
            } while query.after != nil
            invoices = all.sorted { $0.createdAt > $1.createdAt }
            offers = try await ledger.offers(of: nil)
            events = try await ledger.events(EventQuery()).events
            work = try await ledger.outbox(OutboxQuery()).elements
            totals = try await ledger.totals()
            cursor = try await ledger.cursor(of: .embedded)
            answer = try await ledger.answer(to: RequestDigest(of: [1]), at: Sample.start)
        }
    }

    @Test("A ledger is the same on a server as in its file, and the same when it has come back")
    func thereAndBack() async throws {
        let one = try await file()
        let server = try await ServerLedger.anew()
        let back = try await file("back")
        try await Self.fill(one)
        let parts = try await LedgerCopy(from: one, to: server).run()
        #expect(parts.first { $0.table == .invoice }?.digest.count == 1_202)
        _ = try await LedgerCopy(from: server, to: back).run()
        let expected = try await View(one)
        #expect(try await View(server) == expected)
        #expect(try await View(back) == expected)
        #expect(try await server.check().findings == [])
        #expect(try await back.check().findings == [])
        // New rows come behind the copied ones.
        for ledger in [server, back] as [any Ledger] {
            try await ledger.put("carol")
            try await ledger.record(Sample.invoice(200_000), using: nil)
            try await ledger.record(Sample.event(2))
            #expect(
                try await ledger.invoices(InvoiceQuery(now: Sample.start, limit: 1)).invoices[0]
                    == Sample.invoice(200_000))
            #expect(try await ledger.events(EventQuery(limit: 1)).events == [Sample.event(2)])
        }
    }

    @Test("An interrupted copy is finished by another one, which writes nothing twice")
    func resumed() async throws {
        let one = try await file()
        let server = try await ServerLedger.anew()
        try await Self.fill(one)
        let stopped = await Task {
            try await LedgerCopy(from: one, to: Failing(server, after: 6)).run()
        }.result
        #expect(throws: LedgerCopy.Fault.ledger(.busy)) { try stopped.get() }
        for _ in 0..<2 { _ = try await LedgerCopy(from: one, to: server).run() }
        #expect(try await View(server) == View(one))
    }

    @Test("A ledger of others is not written over, and one that differs in the end is reported")
    func refused() async throws {
        let one = try await file()
        let other = try await ServerLedger.anew()
        try await one.put("alice")
        _ = try await other.putMainDomain(at: HTTPURL("https://other.example"))
        await #expect(throws: LedgerCopy.Fault.foreign) { try await LedgerCopy(from: one, to: other).run() }
        let copy = try await ServerLedger.anew()
        _ = try await LedgerCopy(from: one, to: copy).run()
        try await copy.record(Sample.event(1))
        await #expect(throws: LedgerCopy.Fault.different(table: "event", source: 0, target: 1)) {
            try await LedgerCopy(from: one, to: copy).run()
        }
    }

    @Test("A snapshot of a ledger on a server is a sound SQLite ledger that only its owner may open")
    func snapshots() async throws {
        let server = try await ServerLedger.anew()
        try await Self.fill(server)
        let path = folder.path + "/snapshot.sqlite"
        try await server.snapshot(to: path)
        #expect(PrivateFile(path: path).modeOpenToOthers == nil)
        #expect(folder.names == ["snapshot.sqlite"])
        let copy = try await LedgerDatabase.open(at: path)
        #expect(try await View(copy) == View(server))
        #expect(try await copy.check().findings == [])
    }
}

/// A ledger that fails after some pages.
private final class Failing: RecordTarget {
    private let ledger: ServerLedger
    private let left: Guarded<Int>

    init(_ ledger: ServerLedger, after pages: Int) {
        self.ledger = ledger
        left = Guarded(pages)
    }

    func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result {
        try await ledger.readRecords(body)
    }

    func add(_ rows: [[StoredColumn]], to table: LedgerTable) async throws(LedgerFault) {
        let isOver = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isOver { throw .busy }
        try await ledger.add(rows, to: table)
    }

    func finishAdding() async throws(LedgerFault) { try await ledger.finishAdding() }
}
