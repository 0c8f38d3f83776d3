package import LightningCoding
import LightningCrypto
package import ResponderModel

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
