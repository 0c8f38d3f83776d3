import LedgerRecords
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing
import Waiting

@Suite(
    "When the server of a ledger fails", .timeLimit(.minutes(12)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct FaultTests {
    /// A ledger behind a proxy, and the same without it.
    private struct Setting {
        let direct: ServerLedger
        let proxied: ServerLedger
        let proxy: CuttingProxy

        init() async throws {
            let cluster = try await PostgreSQLCluster.shared()
            let name = try await ServerLedger.database()
            direct = try await ServerLedger.open(ServerSettings(url: cluster.url(name)))
            proxy = try CuttingProxy(to: cluster.port)
            proxied = try await ServerLedger.open(
                ServerSettings(url: cluster.url(name, at: proxy.port)), lanes: 1, timeout: .seconds(3))
            try await direct.put("alice")
            // Makes the partition.
            try await direct.record(Sample.invoice(1), using: nil)
            try await proxied.probe()
        }
    }

    @Test("An invoice whose commit was not answered is not given out, and its challenge counts as used")
    func invoices() async throws {
        let setting = try await Setting()
        let facts = Guarded(0)
        setting.proxied.observers.add { _ in facts.withLock { $0 += 1 } }
        setting.proxy.become(.losingAnswers)
        await #expect(throws: LedgerFault.outcomeUnknown) {
            try await setting.proxied.record(Sample.invoice(2), using: .challenge(Sample.challenge(1)))
        }
        #expect(facts.withLock { $0 } == 0)
        setting.proxy.become(.passing)
        #expect(try await setting.proxied.isUsed(Sample.challenge(1)))
        await #expect(throws: LedgerFault.challengeUsed) {
            try await setting.proxied.record(Sample.invoice(3), using: .challenge(Sample.challenge(1)))
        }
    }

    @Test("A settlement whose commit was not answered is repeated, and counts once")
    func settlements() async throws {
        let setting = try await Setting()
        let lease = try await setting.direct.held(.following(.embedded))
        // The invoice is read in the first.
        setting.proxy.become(.losingAnswersAfter(1))
        await #expect(throws: LedgerFault.outcomeUnknown) {
            try await setting.proxied.record(Sample.settlement(1, cursor: "7"), from: .embedded, under: lease)
        }
        setting.proxy.become(.passing)
        #expect(
            try await setting.proxied.record(Sample.settlement(1, cursor: "7"), from: .embedded, under: lease) == nil)
        #expect(try await setting.proxied.totals().settlements == 1)
        #expect(try await setting.proxied.cursor(of: .embedded) == SettlementCursor("7"))
    }

    @Test("A statement that was cut on its way has written nothing, and reading goes on by itself")
    func cut() async throws {
        let setting = try await Setting()
        setting.proxy.become(.cuttingAfter(40))
        await #expect(throws: LedgerFault.outcomeUnknown) {
            try await setting.proxied.record(Sample.invoice(2), using: nil)
        }
        setting.proxy.become(.passing)
        #expect(try await setting.proxied.invoice(Sample.invoice(2).paymentHash) == nil)
        try await setting.proxied.record(Sample.invoice(2), using: nil)
    }

    @Test("While the server is away callers are told so in their time, and a change is heard of afterwards")
    func away() async throws {
        let setting = try await Setting()
        let revision = try await setting.proxied.accountsRevision()
        let change = Task { try await setting.proxied.accountsRevision(otherThan: revision) }
        setting.proxy.become(.refusing)
        try await eventually {
            do {
                _ = try await setting.proxied.accounts()
                return false
            } catch LedgerFault.unreachable {
                return true
            } catch LedgerFault.noConnection {
                // Its only connection was still in use.
                return false
            }
        }
        setting.proxy.become(.passing)
        try await setting.direct.put("alice", "Two")
        // Whoever waits may be told that the server was away, and asks again.
        let heard = try? await change.value
        let known = try await setting.direct.accountsRevision()
        #expect(known != revision && (heard == nil || heard == known))
        try await eventually { (try? await setting.proxied.accountsRevision(otherThan: revision)) == known }
    }

    @Test("A change by another instance is heard of at once, and without a word of the server within seconds")
    func changes() async throws {
        let setting = try await Setting()
        for text in ["Two", "Three"] {
            let revision = try await setting.proxied.accountsRevision()
            async let change = setting.proxied.accountsRevision(otherThan: revision)
            try await setting.direct.put("alice", text)
            #expect(try await change > revision)
        }
    }

    @Test("A server that is killed and comes back has every invoice that was given out")
    func killed() async throws {
        let cluster = try await PostgreSQLCluster()
        let settings = try ServerSettings(url: cluster.url("postgres"))
        try await ServerLedger.migrate(settings)
        let ledger = try await ServerLedger.open(settings, lanes: 4, timeout: .seconds(3))
        try await ledger.put("alice")
        let given = Guarded<[PaymentHash]>([])
        ledger.observers.add { fact in
            if case .issued(let invoice) = fact { given.withLock { $0.append(invoice.paymentHash) } }
        }
        let issuing = Task {
            var number: UInt64 = 0
            while !Task.isCancelled {
                number += 1
                if let invoice = try? Sample.invoice(number) { try? await ledger.record(invoice, using: nil) }
            }
        }
        for _ in 0..<2 {
            let before = given.withLock { $0.count }
            try await eventually { given.withLock { $0.count } > before + 20 }
            try cluster.crash()
            try await cluster.start()
        }
        let before = given.withLock { $0.count }
        try await eventually { given.withLock { $0.count } > before + 20 }
        issuing.cancel()
        await issuing.value
        for hash in given.withLock({ $0 }) { #expect(try await ledger.invoice(hash) != nil) }
        #expect(try await ledger.check().findings == [])
    }

    @Test("A server that becomes read-only takes no invoice, says why, and is used again afterwards")
    func readOnly() async throws {
        let cluster = try await PostgreSQLCluster()
        let settings = try ServerSettings(url: cluster.url("postgres"))
        try await ServerLedger.migrate(settings)
        let ledger = try await ServerLedger.open(settings, lanes: 2, timeout: .seconds(2))
        try await ledger.put("alice")
        try await ledger.record(Sample.invoice(1), using: nil)
        try await cluster.psql("ALTER SYSTEM SET default_transaction_read_only = on")
        try await cluster.psql("SELECT pg_reload_conf()")
        try await eventually {
            do throws(LedgerFault) {
                try await ledger.probe()
                return false
            } catch {
                return error == .readOnly
            }
        }
        await #expect(throws: LedgerFault.readOnly) { try await ledger.record(Sample.invoice(2), using: nil) }
        try await cluster.psql("ALTER SYSTEM RESET default_transaction_read_only")
        try await cluster.psql("SELECT pg_reload_conf()")
        try await eventually { (try? await ledger.probe()) != nil }
        try await ledger.record(Sample.invoice(2), using: nil)
    }

    @Test(
        "A full disk refuses invoices with its reason, and what was issued before is verified",
        .enabled(if: PostgreSQLCluster.canLimitDisks, "no disk can be mounted"))
    func full() async throws {
        let cluster = try await PostgreSQLCluster(megabytes: 72)
        let settings = try ServerSettings(url: cluster.url("postgres"))
        try await ServerLedger.migrate(settings)
        let ledger = try await ServerLedger.open(settings, lanes: 1)
        try await ledger.put("alice")
        let first = try Sample.invoice(1)
        try await ledger.record(first, using: nil)
        var outcome: LedgerFault?
        // Nothing that could be compressed.
        let payload = (0..<300).map { _ in String(UInt64.random(in: 0...(.max)), radix: 36) }.joined()
        for number in UInt64(0)..<100_000 where outcome == nil {
            let event = EventRecord(
                receivedAt: Sample.start.adding(seconds: number), account: try Sample.alice(), type: "t",
                envelope: "push", payload: payload, outcome: .ignored)
            do throws(LedgerFault) {
                try await ledger.record(event)
            } catch {
                outcome = error
            }
        }
        #expect(outcome == .full)
        #expect(try await ledger.invoice(first.paymentHash, createdAt: first.createdAt) == first)
    }

    @Test("Somebody who holds a row for long makes others busy, not wrong")
    func busy() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        let database = try await Database.open(settings, lanes: 1)
        try await ledger.put("alice")
        let alice = try Sample.alice()
        let fault = try await database.transaction(.writing, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run(Query("SELECT 1 FROM accounts_revision FOR UPDATE"))
            do throws(LedgerFault) {
                _ = try await ledger.removeAccount(named: alice)
                return LedgerFault?.none
            } catch {
                return error
            }
        }
        #expect(fault == .busy)
        #expect(try await ledger.accounts().count == 1)
    }

    @Test("U+0000 is refused with a reason, and nothing is written")
    func nullCharacters() async throws {
        let setting = try await Setting()
        let words = InvoiceOrigin.PayerWords(metadataVersion: 1, comment: "a\u{0}b")
        await #expect(throws: LedgerFault.unstorable("a text holds U+0000")) {
            try await setting.direct.record(
                Sample.invoice(2, words: words), using: .challenge(Sample.challenge(1)))
        }
        #expect(try await setting.direct.isUsed(Sample.challenge(1)) == false)
    }
}
