import LNURL
public import LightningCoding
public import LightningCrypto
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Remembers what a device has said of a paid invoice.
    public func keep(_ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            try connection.run(
                """
                INSERT INTO paid_invoice (registration, payment_hash, preimage, bolt11, recorded_at)
                SELECT registration.id, ?3, ?4, ?5, ?6
                FROM registration JOIN domain ON domain.id = registration.domain
                WHERE public_key = ?1 AND domain.name = ?2
                ON CONFLICT (registration, payment_hash) DO UPDATE SET preimage = coalesce(preimage, excluded.preimage)
                """,
                id.values + [
                    .blob(paid.paymentHash.bytes), paid.preimage.map { .blob($0.bytes) } ?? .null, .text(paid.bolt11),
                    try .time(now),
                ])
            try connection.run(
                """
                DELETE FROM paid_invoice WHERE id IN (
                    SELECT paid_invoice.id FROM paid_invoice
                        JOIN registration ON registration.id = paid_invoice.registration
                        JOIN domain ON domain.id = registration.domain
                    WHERE public_key = ?1 AND domain.name = ?2 ORDER BY paid_invoice.id DESC LIMIT -1 OFFSET ?3
                )
                """,
                id.values + [.integer(Int64(PaidInvoice.maximumCount))])
        }
    }

    /// What a device has said of an invoice that was paid, or nil.
    public func paidInvoice(
        _ paymentHash: PaymentHash, of id: RegistrationID
    ) async throws(LedgerFault) -> PaidInvoice? {
        try await read { connection throws(StorageFault) in
            try connection.first(
                """
                SELECT preimage, bolt11 FROM paid_invoice
                    JOIN registration ON registration.id = paid_invoice.registration
                    JOIN domain ON domain.id = registration.domain
                WHERE public_key = ?1 AND domain.name = ?2 AND payment_hash = ?3
                """,
                id.values + [.blob(paymentHash.bytes)]
            ) { row throws(StorageFault) in
                PaidInvoice(
                    paymentHash: paymentHash, preimage: row.isNull(0) ? nil : try row.blob(0) { try Preimage($0) },
                    bolt11: try row.text(1))
            }
        }
    }
}

extension RegistrationID {
    /// The parameters `public_key` and the domain's name.
    fileprivate var values: [Value] { [.blob(key.bytes), .text(domain.text)] }
}
