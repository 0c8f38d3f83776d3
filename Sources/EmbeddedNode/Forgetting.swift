public import LightningCoding
public import LightningCrypto
public import Contracts
import SQLiteStorage

extension EmbeddedBackend {
    /// Deletes those of these invoices that were never paid and expired before a moment, and are expired by the node's
    /// own clock.
    public func forget(
        _ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime
    ) async throws(BackendFault) {
        guard !paymentHashes.isEmpty else { return }
        let moment = min(moment, clock().adding(seconds: 1))
        do {
            try await database.write { connection throws(StorageFault) in
                for paymentHash in paymentHashes {
                    try connection.run(
                        """
                        DELETE FROM node_invoice WHERE payment_hash = ?1 AND expires_at < ?2
                            AND NOT EXISTS (SELECT 1 FROM node_settlement WHERE invoice = node_invoice.id)
                        """,
                        [.blob(paymentHash.bytes), try .time(moment)]
                    )
                }
            }
        } catch {
            throw BackendFault(error)
        }
    }
}
