import LightningCrypto
public import Receiving
import SQLiteStorage

extension LedgerDatabase {
    /// Writes a settlement and the backend's cursor down, together or not at all.
    public func record(
        _ settlement: Settlement,
        from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? {
        try await write { connection throws(StorageFault) in
            let settled = try connection.run(
                """
                UPDATE invoice SET settled_at = ?3, received = ?4, preimage = ?5
                WHERE payment_hash = ?1 AND backend = ?2 AND settled_at IS NULL
                """,
                [
                    .blob(settlement.paymentHash.bytes), .text(backend.description), try .time(settlement.settledAt),
                    try .amount(settlement.received), .blob(settlement.preimage.bytes),
                ]
            )
            try connection.run(
                """
                INSERT INTO settlement_cursor (backend, cursor) VALUES (?1, ?2)
                ON CONFLICT (backend) DO UPDATE SET cursor = excluded.cursor
                """,
                [.text(backend.description), .text(settlement.cursor.text)]
            )
            return settled > 0 ? try connection.invoice(settlement.paymentHash) : nil
        }
    }

    /// Where the settlements of a backend were last written down.
    public func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                "SELECT cursor FROM settlement_cursor WHERE backend = ?1", [.text(backend.description)]
            ) { row throws(StorageFault) in
                SettlementCursor(try row.text(0))
            }
        }
    }
}
