import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import TemporaryFolders
import Testing
@testable import SQLiteLedger

@Suite("The outbox in the ledger's file", .timeLimit(.minutes(1)))
struct OutboxTableTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/ledger.sqlite" }

    @Test("A ledger from before the outbox gets one, and counts its payments")
    func migration() async throws {
        var invoices = [try Sample.invoice(1), try Sample.invoice(2)]
        invoices[0].settlement = RecordedSettlement(
            settledAt: Sample.start, received: invoices[0].amount, preimage: try Sample.preimage(1))
        try await FormerLedger.make(at: path, upTo: "followed spans") { [invoices] connection throws(StorageFault) in
            try connection.run("INSERT INTO account (name, version, settings, created_at) VALUES ('alice', 1, '{}', 0)")
            for invoice in invoices { try FormerLedger.insert(invoice, connection) }
        }
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.tellSettlementsOfAll(true)
        #expect(try await ledger.totals().settlements == 1)
        #expect(try await ledger.record(Sample.settlement(2), from: .embedded) != nil)
        #expect(try await ledger.totals().settlements == 2)
        #expect(try await ledger.outbox(OutboxQuery()).elements.count == 1)
    }

    @Test("The work of a ledger from before work without an account is kept, in its order, and taken by its indexes")
    func withoutAccount() async throws {
        try await FormerLedger.make(at: path, upTo: "devices") { connection throws(StorageFault) in
            try connection.script(
                """
                INSERT INTO domain (id, name, public_url, settings, is_main)
                VALUES (1, 'example.com', 'https://example.com', '{}', 1);
                INSERT INTO account (id, domain, name, version, settings, created_at) VALUES (7, 1, 'alice', 1, '{}', 0);
                INSERT INTO outbox (id, work_id, kind, account, payload, created_at, due_at, held_by, attempts, failure)
                VALUES (3, 'work-1', 'notification', 7, x'7b7d', 5, 6, 'one', 2, 'no answer'),
                    (9, 'work-2', 'notification', 7, x'7b7d', 5, 6, NULL, 0, NULL);
                INSERT INTO outbox (work_id, kind, account, payload, created_at, due_at, parked_at)
                VALUES ('work-3', 'settlement-webhook', 7, x'00', 5, 6, 8);
                """)
        }
        let ledger = try await LedgerDatabase.open(at: path)
        let first = OutboxWork(
            id: try #require(OutboxID("work-1")), kind: .notification, account: try Sample.alice(),
            payload: [0x7b, 0x7d],
            createdAt: UnixTime(5), state: .pending(dueAt: UnixTime(6)), attempts: 2, holder: "one",
            failure: "no answer")
        #expect(try await ledger.work(first.id) == first)
        let all = try await ledger.outbox(OutboxQuery()).elements
        #expect(all.map(\.id.text) == ["work-3", "work-2", "work-1"])
        #expect(all.map(\.isParked) == [true, false, false])
        try await ledger.add(Sample.work(4, of: nil), heldBy: nil)
        let now = Sample.start.adding(seconds: 9)
        let taken = try await ledger.claim(.notification, limit: 9, for: "two", at: now, until: now)
        #expect(taken.work.map(\.id.text) == ["work-4", "work-1", "work-2"])
    }

    @Test("A settlement and its work are written together or not at all")
    func together() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        try await ledger.tellSettlementsOfAll(true)
        try await ledger.record(Sample.invoice(1), using: nil)
        try await ledger.database.write { connection throws(StorageFault) in
            try connection.script(
                "CREATE TRIGGER no_work BEFORE INSERT ON outbox_entry BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        await #expect(throws: LedgerFault.self) { try await ledger.record(Sample.settlement(1), from: .embedded) }
        #expect(try await ledger.invoice(Sample.preimage(1).paymentHash)?.settlement == nil)
        #expect(try await ledger.cursor(of: .embedded) == nil)
        #expect(try await ledger.totals().settlements == 0)
        try await ledger.database.write { connection throws(StorageFault) in
            try connection.script("DROP TRIGGER no_work")
        }
        #expect(try await ledger.record(Sample.settlement(1), from: .embedded) != nil)
        #expect(try await ledger.outbox(OutboxQuery()).elements.count == 1)
    }

    @Test("Work added or settled by another process is claimed here, once each")
    func processes() async throws {
        let one = try await LedgerDatabase.open(at: path)
        let other = try await LedgerDatabase.open(at: path)
        try await one.put("alice")
        for number in UInt64(1)...100 { try await one.add(Sample.work(number), heldBy: nil) }
        let now = Sample.start.adding(seconds: 1_000)
        let taken = try await withThrowingTaskGroup(of: [OutboxID].self) { group in
            for index in 0..<20 {
                let ledger = index.isMultiple(of: 2) ? one : other
                group.addTask {
                    try await ledger.claim(
                        .notification, limit: 7, for: "\(index)", at: now, until: now.adding(seconds: 10)
                    ).work.map(\.id)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.count == 100)
        #expect(Set(taken).count == 100)
    }
}
