import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import ResponderModel
import SQLiteLedger

extension EmbeddedBackend {
    /// Deletes those of these invoices that were never paid and expired before a moment, and are expired by the node's
    /// own clock.
    package func forget(
        _ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime
    ) async throws(BackendFault) {
        guard !paymentHashes.isEmpty else { return }
        let moment = min(moment, clock().adding(seconds: 1))
        try await BackendFault.asking(await unstored.store())
        try await BackendFault.asking(
            await database.write { connection throws(LedgerFault) in
                for paymentHash in paymentHashes {
                    try connection.run(
                        """
                        DELETE FROM node_invoice WHERE payment_hash = ?1 AND expires_at < ?2
                            AND NOT EXISTS (SELECT 1 FROM node_settlement WHERE invoice = node_invoice.id)
                        """,
                        [.blob(paymentHash.bytes), .integer(moment)]
                    )
                }
            })
    }
}

extension EmbeddedBackend {
    /// Finds the invoice that a swap pays. This node has no swaps: an invoice's label serves as the id of one, so that
    /// their notifications can be tested. Other events, and swaps that pay none of its invoices, are unsupported.
    ///
    /// Only the newest 1,000 invoices are searched.
    package func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        guard case .swapUpdated(let id, _) = event else { throw .unsupported }
        let paid = try await find { connection throws(LedgerFault) in
            try connection.rows("SELECT label, payment_hash FROM node_invoice ORDER BY id DESC LIMIT 1000") {
                row throws(LedgerFault) in
                (label: try row.text("label"), paymentHash: try row.blob("payment_hash") { try PaymentHash($0) })
            }
            .first { $0.label.isExactly(id) || Hexadecimal.encode(SHA256.hash($0.label.utf8)) == id }?.paymentHash
        }
        guard let paid else { throw .unsupported }
        return paid
    }
}
