import LedgerRecords
import LedgerContract
import LightningCrypto
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing

@Suite(
    "Checking a ledger on a PostgreSQL server", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct CheckTests {
    /// A change of the registrations' tables, and the finding expected from it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let finding: @Sendable () throws -> LedgerReport.Finding

        init(_ description: String, _ sql: String, finding: @escaping @Sendable () throws -> LedgerReport.Finding) {
            testDescription = description
            self.sql = sql
            self.finding = finding
        }

        static let all = [
            Damage("a registered name that is none", "UPDATE registration SET name = 'B O B'") {
                .row(of: "registration", position: 1, "unexpected value in name")
            },
            Damage("a webhook that is none", "UPDATE registration SET webhook = 'nowhere'") {
                .row(of: "registration", position: 1, "unexpected value in webhook")
            },
            Damage("a key that is none", "UPDATE registration SET public_key = decode(repeat('00', 33), 'hex')") {
                .row(of: "registration", position: 1, "unexpected value in public_key")
            },
            Damage("a registered name that is an account's", "UPDATE registration SET name = 'alice'") {
                .sharedName("alice@example.com")
            },
            Damage("a kept name that is none", "UPDATE kept_name SET name = ''") {
                .row(of: "kept name", position: 1, "unexpected value in name")
            },
            Damage("a statement without a time", "UPDATE used_statement SET expires_at = -1") { .statements(1) },
            Damage("another preimage", "UPDATE paid_invoice SET preimage = decode(repeat('00', 32), 'hex')") {
                .paidInvoice(try Sample.preimage(9).paymentHash)
            },
            Damage("a paid invoice that is none", "UPDATE paid_invoice SET bolt11 = 'lnbcrt1'") {
                .paidInvoice(try Sample.preimage(9).paymentHash)
            },
        ]
    }

    @Test("Contradictions in what belongs to app users are found, and nothing else", arguments: Damage.all)
    func finds(_ damage: Damage) async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings)
        try await ledger.put("alice")
        try await ledger.register(Sample.registrant(1), "carol", claim: 1)
        try await ledger.reserve(Sample.account("root"), at: Sample.start)
        let paid = try Sample.invoice(9)
        try await ledger.keep(
            PaidInvoice(
                paymentHash: paid.paymentHash, preimage: Sample.preimage(9), bolt11: try #require(paid.bolt11)),
            of: Sample.registrant(1), at: Sample.start)
        #expect(try await ledger.check().findings == [])
        try await Database.open(settings, lanes: 1).write(Query(damage.sql))
        #expect(try await ledger.check().findings == [damage.finding()])
        await ledger.close()
    }
}
