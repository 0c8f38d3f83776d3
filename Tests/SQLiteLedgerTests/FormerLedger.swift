import LedgerContract
import LedgerRecords
import LightningCoding
import ResponderModel
import Testing
@testable import SQLiteLedger

/// A ledger as an earlier version of this software left it.
enum FormerLedger {
    /// Makes one with the first migrations, up to one of that name, and fills it.
    static func make(
        at path: String, upTo name: String,
        filling fill: @escaping @Sendable (Connection) throws(StorageFault) -> Void
    ) async throws {
        let migrations = Schema.ledger.migrations
        let count = try #require(migrations.firstIndex { $0.name == name }) + 1
        let database = try await Database.open(at: path)
        try await database.migrate(to: Schema(component: "ledger", migrations: Array(migrations.prefix(count))))
        try await database.write { connection throws(StorageFault) in try fill(connection) }
        await database.close()
    }

    /// Inserts an LNURL invoice, as before accounts had domains.
    static func insert(_ invoice: IssuedInvoice, _ connection: Connection) throws(StorageFault) {
        let values: [Value] = try invoice.values()
        // The account's domain was not stored.
        try connection.run(
            """
            INSERT INTO invoice (
                payment_hash, account, backend, label, bolt11, amount, created_at, expires_at, settled_at, received,
                preimage, origin, metadata_version, tag, comment, payer_data, offer, bolt12, quantity, payer_note,
                payee_name
            ) VALUES (
                ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21
            )
            """,
            Array(values[..<2] + values[3...]))
    }
}
