import Bolt12
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import TemporaryFolders
import Testing
@testable import SQLiteLedger

@Suite("A ledger from before there were domains", .timeLimit(.minutes(1)))
struct DomainMigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }

    /// A ledger with an invoice, an offer, an event and work of alice, and an event of bob, who never had an account.
    private func makeFormer(servedAt url: String? = "https://example.com") async throws {
        let invoices = [try Sample.invoice(1), try Sample.invoice(2)]
        let offer = try Sample.offer(1)
        try await FormerLedger.make(at: path, upTo: "payer data of versions") { connection throws(StorageFault) in
            if let url { try connection.run("INSERT INTO service (id, public_url) VALUES (1, ?1)", [.text(url)]) }
            try connection.run(
                "INSERT INTO account (id, name, version, settings, created_at) VALUES (7, 'alice', 1, ?1, 1790000000)",
                [.text(Sample.settings().json.serialized())])
            try connection.run(
                "INSERT INTO account_version (account, version, metadata, created_at) VALUES (7, 1, ?1, 1790000000)",
                [.text(Sample.metadata("For alice"))])
            for invoice in invoices { try FormerLedger.insert(invoice, connection) }
            try connection.run(
                "UPDATE invoice SET settled_at = 1790000101, received = 1005, preimage = ?1 WHERE id = 1",
                [.blob((try? Sample.preimage(1).bytes) ?? [])])
            try connection.run(
                """
                INSERT INTO offer (offer_id, account, origin, records, created_at) VALUES (?1, 'alice', 'issued', ?2, 1790000000)
                """,
                [.blob(offer.offer.id.bytes), .blob(offer.offer.stream.bytes)])
            try connection.run(
                "INSERT INTO answered_request (digest, payment_hash, expires_at) VALUES (?1, ?2, 1790000302)",
                [.blob(RequestDigest(of: [1]).bytes), .blob(invoices[1].paymentHash.bytes)])
            for (number, name) in [(3, "alice"), (4, "bob")] as [(Int64, String)] {
                try connection.run(
                    """
                    INSERT INTO event (id, received_at, account, type, envelope, payload, outcome, steps)
                    VALUES (?1, 1790000000, ?2, 't', 'push', '{}', 'done', '[]')
                    """,
                    [.integer(number), .text(name)])
            }
            try connection.run(
                """
                INSERT INTO outbox (work_id, kind, account, payload, created_at, due_at, held_by, attempts)
                VALUES ('work-1', 'notification', 'alice', X'7b7d', 1790000000, 1790000001, 'one', 2)
                """)
            try connection.script("INSERT INTO settlement_listener (account) VALUES ('alice')")
        }
    }

    @Test("becomes the main domain with everything that it held, and its references hold")
    func everything() async throws {
        try await makeFormer()
        let ledger = try await LedgerDatabase.open(at: path)
        #expect(try await ledger.domains() == [try Sample.domain()])
        let alice = try #require(try await ledger.account(named: Sample.alice()))
        #expect(
            alice.metadata == Sample.metadata("For alice") && alice.version == 1 && alice.settings == Sample.settings())
        #expect(try await ledger.accounts().map(\.id) == [Sample.alice()])
        let invoices = try await ledger.invoices(InvoiceQuery(account: Sample.alice(), now: Sample.start)).invoices
        #expect(invoices.map(\.paymentHash) == [try Sample.invoice(2).paymentHash, try Sample.invoice(1).paymentHash])
        #expect(invoices.first == (try Sample.invoice(2)))
        #expect(invoices.last?.settlement?.preimage == (try Sample.preimage(1)))
        #expect(try await ledger.offers(of: Sample.alice()).map(\.offer) == [try Sample.offer(1).offer])
        #expect(try await ledger.answer(to: RequestDigest(of: [1]), at: Sample.start) == (try Sample.invoice(2)))
        #expect(
            try await ledger.events(EventQuery()).events.map(\.account.text) == [
                "bob@example.com", "alice@example.com",
            ])
        let work = try #require(try await ledger.outbox(OutboxQuery(account: Sample.alice())).elements.first)
        #expect(work.attempts == 1 && work.id.text == "work-1")
        #expect(try await ledger.record(Sample.settlement(2), from: .embedded) != nil)
        #expect(try await ledger.outbox(OutboxQuery(kind: .settlementWebhook)).elements.count == 1)
        #expect(try await ledger.totals().settlements == 1)
        let broken = try await ledger.database.read { connection throws(StorageFault) in
            try connection.rows("PRAGMA foreign_key_check") { row throws(StorageFault) in try row.text(0) }
        }
        #expect(broken == [])
        let former = try await ledger.database.read { connection throws(StorageFault) in
            try connection.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'former%' OR sql LIKE '%former%'") {
                row throws(StorageFault) in
                try row.text(0)
            }
        }
        #expect(former == [])
        #expect(try await ledger.check().isSound)
    }

    @Test("that was never served takes its domain from the metadata of its accounts")
    func neverServed() async throws {
        try await makeFormer(servedAt: nil)
        let ledger = try await LedgerDatabase.open(at: path)
        #expect(try await ledger.publicURL() == nil)
        #expect(try await ledger.mainDomain() == (try Sample.domain()))
        #expect(try await ledger.account(named: Sample.alice()) != nil)
    }

    @Test("and without any account has no domain")
    func empty() async throws {
        try await FormerLedger.make(at: path, upTo: "payer data of versions") { _ in }
        let ledger = try await LedgerDatabase.open(at: path)
        #expect(try await ledger.domains().isEmpty)
        #expect(try await ledger.put("alice").version == 1)
    }
}
