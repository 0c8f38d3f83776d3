import LedgerRecords
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import TemporaryFolders
import Testing
@testable import SQLiteLedger

@Suite("Checking a ledger", .timeLimit(.minutes(5)))
struct CheckTests {
    let folder = TemporaryFolder()

    @Test("A sound ledger's contents are counted")
    func sound() async throws {
        let ledger = try await soundLedger()
        let report = try await ledger.check()
        #expect(report.findings.isEmpty)
        #expect(
            [report.accounts, report.invoices, report.settled, report.events, report.registrations] == [1, 3, 1, 3, 2])
    }

    /// A modification of the file, and the findings expected from it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let findings: @Sendable () throws -> [LedgerReport.Finding]

        init(_ description: String, _ sql: String, findings: @escaping @Sendable () throws -> [LedgerReport.Finding]) {
            testDescription = description
            self.sql = sql
            self.findings = findings
        }

        static let all = [
            Damage("settings that are no JSON", "UPDATE account SET settings = '{'") {
                [.account("alice@example.com")]
            },
            Damage("settings with an unknown key", "UPDATE account SET settings = '{\"x\":1}'") {
                [.account("alice@example.com")]
            },
            Damage("metadata that is none", "UPDATE account_version SET metadata = '[]' WHERE version = 2") {
                [.account("alice@example.com")]
            },
            Damage("a version that is missing", "DELETE FROM account_version WHERE version = 1") {
                [.versions(account: "alice@example.com")] + (try invoices(1, 2, 3).map { .metadataVersion($0) })
            },
            Damage("a version too many", "UPDATE account SET version = 1") {
                [.versions(account: "alice@example.com")]
            },
            Damage("a name that is none", "UPDATE invoice SET backend = 'Main node' WHERE id = 1") {
                [.invoiceRow(position: 1, "unexpected value in backend")]
            },
            Damage("a text that is no invoice", "UPDATE invoice SET bolt11 = 'lnbcrt1' WHERE id = 1") {
                try invoices(1).map { .invoiceText($0) }
            },
            Damage("another invoice's hash", "UPDATE invoice SET payment_hash = zeroblob(32) WHERE id = 2") {
                [.invoiceHash(try PaymentHash([UInt8](repeating: 0, count: 32)))]
            },
            Damage("another amount", "UPDATE invoice SET amount = amount + 1 WHERE id = 2") {
                try invoices(2).map { .invoiceAmount($0) }
            },
            Damage("another time of expiry", "UPDATE invoice SET expires_at = expires_at + 1 WHERE id = 2") {
                try invoices(2).map { .invoiceExpiry($0) }
            },
            Damage(
                "metadata that payers were not shown",
                "UPDATE account_version SET metadata = replace(metadata, 'For', 'Of') WHERE version = 1"
            ) {
                try invoices(1, 2, 3).map { .invoiceDescription($0) }
            },
            Damage("a tag that was not asked for", "UPDATE invoice SET tag = 'tips' WHERE id = 2") {
                try invoices(2).map { .invoiceDescription($0) }
            },
            Damage("a version that was never there", "UPDATE invoice SET metadata_version = 3 WHERE id = 2") {
                try invoices(2).map { .metadataVersion($0) }
            },
            Damage("an event with an outcome that is none", "UPDATE event SET outcome = 'lost' WHERE id = 2") {
                [.eventRow(position: 2, "unexpected value in outcome")]
            },
            Damage("an event whose steps are none", "UPDATE event SET steps = '[[1]]' WHERE id = 1") {
                [.eventRow(position: 1, "unexpected value in steps")]
            },
            Damage(
                "an event of an account without a name",
                """
                INSERT INTO account VALUES (9, 1, '', 1, '{}', 0, 1);
                INSERT INTO account_version VALUES (9, 9, 1, '[]', 0, '{}');
                UPDATE event SET account = 9 WHERE id = 3
                """
            ) {
                [.eventRow(position: 3, "unexpected value in account")]
            },
            Damage("another preimage", "UPDATE invoice SET preimage = zeroblob(32) WHERE id = 3") {
                try invoices(3).map { .preimage($0) }
            },
            Damage("a registered name that is none", "UPDATE registration SET name = 'B O B' WHERE name = 'bob'") {
                [.row(of: "registration", position: 1, "unexpected value in name")]
            },
            Damage("a webhook that is none", "UPDATE registration SET webhook = 'nowhere' WHERE id = 2") {
                [.row(of: "registration", position: 2, "unexpected value in webhook")]
            },
            Damage("a key that is none", "UPDATE registration SET public_key = zeroblob(33) WHERE id = 2") {
                [.row(of: "registration", position: 2, "unexpected value in public_key")]
            },
            Damage("a registered name that is an account's", "UPDATE registration SET name = 'alice' WHERE id = 1") {
                [.sharedName("alice@example.com")]
            },
            Damage("a kept name that is none", "UPDATE kept_name SET name = '' WHERE id = 1") {
                [.row(of: "kept name", position: 1, "unexpected value in name")]
            },
            Damage("a statement without a time", "UPDATE used_statement SET expires_at = -1 WHERE rowid = 2") {
                [.statements(1)]
            },
            Damage("a statement of the first second", "UPDATE used_statement SET expires_at = 0 WHERE rowid = 2") {
                []
            },
            Damage("another preimage of a paid invoice", "UPDATE paid_invoice SET preimage = zeroblob(32)") {
                try invoices(9).map { .paidInvoice($0) }
            },
            Damage("a paid invoice that is none", "UPDATE paid_invoice SET bolt11 = 'lnbcrt1'") {
                try invoices(9).map { .paidInvoice($0) }
            },
        ]

        private static func invoices(_ numbers: UInt64...) throws -> [PaymentHash] {
            try numbers.map { try Sample.preimage($0).paymentHash }
        }
    }

    @Test("Contradictions are found, and nothing else", arguments: Damage.all)
    func finds(_ damage: Damage) async throws {
        let ledger = try await soundLedger()
        try await ledger.database.write { connection throws(LedgerFault) in try connection.script(damage.sql) }
        #expect(try await ledger.check().findings == damage.findings())
    }

    @Test("A check ends with the thousandth finding")
    func manyFindings() async throws {
        let ledger = try await soundLedger()
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.script(
                """
                DELETE FROM kept_name;
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1500)
                INSERT INTO kept_name (domain, name, since) SELECT 1, 'a name ' || n, 0 FROM numbers
                """)
        }
        #expect(try await ledger.check().findings.count == 1_000)
    }

    @Test("An invoice may commit to the metadata with its tag, with or without the payer data")
    func commitments() async throws {
        let ledger = try await soundLedger()
        let words = InvoiceOrigin.PayerWords(metadataVersion: 1, tag: "tips", payerData: #"{"name":"Bob"}"#)
        let tagged = PayMetadata.adding(tag: "tips", to: Sample.metadata("For alice"))
        for (number, text) in [(UInt64(4), tagged), (5, tagged + #"{"name":"Bob"}"#)] {
            try await ledger.record(try Sample.invoice(number, words: words, committingTo: text), using: nil)
        }
        #expect(try await ledger.check().findings.isEmpty)
        try await ledger.record(
            try Sample.invoice(6, words: words, committingTo: Sample.metadata("For alice")), using: nil)
        #expect(try await ledger.check().findings == [.invoiceDescription(try Sample.preimage(6).paymentHash)])
    }

    @Test("An invoice must be signed, by its node's key")
    func signatures() async throws {
        let ledger = try await soundLedger()
        let hashes = try (UInt64(1)...3).map { try Sample.preimage($0).paymentHash }
        let key = try SecretKey(Array(repeating: 1, count: 32)).publicKey
        #expect(try await ledger.check(payees: [.embedded: key]).findings.isEmpty)
        let other = try SecretKey(Array(repeating: 2, count: 32)).publicKey
        #expect(try await ledger.check(payees: [.embedded: other]).findings == hashes.map { .invoicePayee($0) })
        // With recovery id 2 no key can be recovered.
        let text = try Bech32.decode(#require(Sample.invoice(1).bolt11), checksum: .bech32)
        let unsigned = Bech32.encode(
            Bech32.Text(humanReadablePart: text.humanReadablePart, groups: text.groups.dropLast() + [2]),
            checksum: .bech32)
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.script("UPDATE invoice SET bolt11 = '\(unsigned)' WHERE id = 1")
        }
        #expect(try await ledger.check(payees: [.embedded: key]).findings == [.invoiceSignature(hashes[0])])
    }

    @Test("An invoice for an offer is of the offer's account, and as its payer got it")
    func offered() async throws {
        let ledger = try await soundLedger()
        try await ledger.put("dave")
        // There is another offer of the account, and another invoice of the offer.
        let offers = [try await ledger.putOffer(Sample.offer(1)), try await ledger.putOffer(Sample.offer(2))]
        for number in UInt64(4)...5 {
            try await ledger.record(try Sample.offeredInvoice(number, for: offers[0]), using: nil)
        }
        #expect(try await ledger.check().findings == [])
        let (first, second) = (try Sample.preimage(4).paymentHash, try Sample.preimage(5).paymentHash)
        for (damage, repair, findings) in [
            (
                "UPDATE offer SET account = 2 WHERE id = 1", "UPDATE offer SET account = 1",
                [LedgerReport.Finding.offer(first), .offer(second)]
            ),
            (
                "UPDATE invoice SET amount = 2 * amount WHERE id = 4",
                "UPDATE invoice SET amount = amount / 2 WHERE id = 4",
                [.invoiceAmount(first), .offeredInvoice(first)]
            ),
        ] {
            try await ledger.database.write { connection throws(LedgerFault) in try connection.script(damage) }
            #expect(try await ledger.check().findings == findings)
            try await ledger.database.write { connection throws(LedgerFault) in try connection.script(repair) }
        }
        #expect(try await ledger.check().findings == [])
    }

    @Test("All invoices are checked, not only the first page")
    func many() async throws {
        let ledger = try await soundLedger()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt64(10)..<1210 {
                group.addTask { try await ledger.record(try Sample.invoice(number), using: nil) }
            }
            try await group.waitForAll()
        }
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.script("UPDATE invoice SET bolt11 = 'x' WHERE id = 1203")
        }
        let report = try await ledger.check()
        #expect(report.invoices == 1203)
        #expect(report.findings.count == 1)
    }

    private func soundLedger() async throws -> LedgerDatabase {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        try await ledger.put("alice")
        try await ledger.put("alice", "Two")
        for number in UInt64(1)...3 { try await ledger.record(try Sample.invoice(number), using: nil) }
        _ = try await ledger.record(try Sample.settlement(3), from: .embedded)
        for number in UInt64(1)...3 { try await ledger.record(try Sample.event(number)) }
        for (number, name) in ["carol", "bob"].enumerated() {
            try await ledger.register(Sample.registrant(1), name, claim: UInt64(number))
        }
        try await ledger.register(Sample.registrant(2), nil, claim: 2)
        let paid = try Sample.invoice(9)
        try await ledger.keep(
            PaidInvoice(
                paymentHash: paid.paymentHash, preimage: Sample.preimage(9), bolt11: try #require(paid.bolt11)),
            of: Sample.registrant(1), at: Sample.start)
        return ledger
    }
}
