package import LightningCoding
import LightningCrypto
package import ResponderModel

/// The statements about payments that were passed over.
package enum SkippedSettlements {
    /// With the values of `UnreadableSettlement.values(of:at:)`.
    package static let add = """
        INSERT INTO skipped_settlement (digest, backend, payment_hash, cursor, reason, skipped_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (digest) DO UPDATE SET reason = excluded.reason, skipped_at = excluded.skipped_at
        """

    /// Limit.
    package static let newest = """
        SELECT backend, payment_hash, cursor, reason, skipped_at FROM skipped_settlement
        WHERE payment_hash IS NULL OR NOT EXISTS (
            SELECT 1 FROM invoice
            WHERE invoice.payment_hash = skipped_settlement.payment_hash AND invoice.settled_at IS NOT NULL)
        ORDER BY skipped_at DESC, digest LIMIT $1
        """
}

extension UnreadableSettlement {
    /// Repeated reports of one payment are one row.
    package func values(of backend: BackendName, at now: UnixTime) throws(LedgerFault) -> [StoredValue] {
        let place = "\(backend)\n\(cursor?.text ?? "")\n".utf8
        return [
            .blob(SHA256.hash(Array(place) + (paymentHash?.bytes ?? []))), .text(backend.description),
            .optionalBlob(paymentHash?.bytes), .text(cursor?.text ?? ""), .text(reason.printable), try .time(now),
        ]
    }
}

extension SkippedSettlement {
    package init(_ row: some StoredRow) throws(LedgerFault) {
        let place = try row.text("cursor")
        self.init(
            backend: try row.text("backend") { BackendName($0) },
            paymentHash: try row.optionalBlob("payment_hash") { try PaymentHash($0) }, reason: try row.text("reason"),
            cursor: place.isEmpty ? nil : SettlementCursor(place), skippedAt: try row.time("skipped_at"))
    }
}
