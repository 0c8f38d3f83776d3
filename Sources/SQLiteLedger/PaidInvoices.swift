import LNURL
public import LightningCoding
public import LightningCrypto
public import Contracts
import LedgerRecords
import SQLiteStorage

extension LedgerDatabase {
    /// Remembers a paid invoice.
    public func keep(_ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            try connection.run(
                """
                INSERT INTO paid_invoice (registration, payment_hash, preimage, bolt11, recorded_at)
                SELECT id, ?3, ?4, ?5, ?6 FROM registration WHERE id = \(RegistrationID.number("?1", "?2"))
                ON CONFLICT (registration, payment_hash) DO NOTHING
                """, id.values() + paid.values() + [try .time(now)])
            try connection.run(
                """
                DELETE FROM paid_invoice WHERE registration = \(RegistrationID.number("?1", "?2")) AND id <= (
                    SELECT id FROM paid_invoice WHERE registration = \(RegistrationID.number("?1", "?2"))
                    ORDER BY id DESC LIMIT 1 OFFSET ?3
                )
                """, id.values() + [.integer(Int64(PaidInvoice.maximumCount))])
        }
    }

    /// What is remembered of an invoice that was paid, or nil.
    public func paidInvoice(
        _ paymentHash: PaymentHash, of id: RegistrationID
    ) async throws(LedgerFault) -> PaidInvoice? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                """
                SELECT preimage, bolt11 FROM paid_invoice
                WHERE registration = \(RegistrationID.number("?1", "?2")) AND payment_hash = ?3
                """, id.values() + [.blob(paymentHash.bytes)]
            ) { row throws(StorageFault) in
                try PaidInvoice(paymentHash, row)
            }
        }
    }
}
