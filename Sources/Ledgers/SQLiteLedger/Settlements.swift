package import ResponderModel
import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform

extension LedgerDatabase {
    /// Stores a settlement and the backend's cursor in one transaction.
    package func record(
        _ settlement: Settlement, issuedAt: UnixTime?, from backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice? {
        told(
            try await write(under: lease) { connection throws(LedgerFault) -> IssuedInvoice? in
                let isSettled = try connection.settle(
                    settlement.paymentHash, of: backend, RecordedSettlement(settlement))
                try connection.move(backend, to: settlement.cursor)
                let isAdded = isSettled ? false : try connection.addOffered(settlement, from: backend)
                return isSettled || isAdded ? try connection.invoice(settlement.paymentHash) : nil
            })
    }

    /// Stores a settlement without moving the backend's cursor.
    package func record(
        _ settlement: RecordedSettlement, of paymentHash: PaymentHash, issuedAt: UnixTime?, from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? {
        told(
            try await write { connection throws(LedgerFault) in
                try connection.settle(paymentHash, of: backend, settlement) ? connection.invoice(paymentHash) : nil
            })
    }

    /// Notifies the observers of a settlement, which is durable.
    private func told(_ invoice: IssuedInvoice?) -> IssuedInvoice? {
        if let invoice { observers.tell(.settled(invoice)) }
        return invoice
    }
}

extension FileConnection {
    /// Settles an invoice of the backend; false when it does not exist or is already settled.
    fileprivate func settle(
        _ paymentHash: PaymentHash, of backend: BackendName, _ settlement: RecordedSettlement
    ) throws(LedgerFault) -> Bool {
        let settled = try changes(
            """
            UPDATE invoice SET settled_at = $3, received = $4, preimage = $5
            WHERE payment_hash = $1 AND backend = $2 AND settled_at IS NULL
            """,
            [.blob(paymentHash.bytes), .text(backend.description)] + settlement.values())
        if settled > 0 { try addWhatFollows(fromSettlementOf: paymentHash) }
        return settled > 0
    }

    /// Adds the invoice of a payment to a node's own offer, unless the offer is unknown or the invoice exists.
    fileprivate func addOffered(_ settlement: Settlement, from backend: BackendName) throws(LedgerFault) -> Bool {
        guard let offered = settlement.offered, try invoice(settlement.paymentHash) == nil,
            let offer = try offer(offered.offer), offer.origin == .node,
            // Only the node that made it can report its payments.
            offer.maker.map({ $0.backend == backend }) ?? true
        else { return false }
        try add(IssuedInvoice(settlement, by: offered, for: offer.account, from: backend))
        try addWhatFollows(fromSettlementOf: settlement.paymentHash)
        return true
    }

    /// Adds the work that follows from a settlement, and counts it, in the settlement's transaction. The work is due at
    /// once, even when the node's clock is ahead.
    private func addWhatFollows(fromSettlementOf paymentHash: PaymentHash) throws(LedgerFault) {
        try run("UPDATE settlement_total SET count = count + 1")
        try run(
            """
            INSERT INTO outbox_entry (work_id, kind, account, payload, created_at, due_at)
            SELECT DISTINCT CASE listener.kind WHEN $3 THEN $2 ELSE $5 END, listener.kind, invoice.account, $4,
                settled_at, min(settled_at, CAST(strftime('%s', 'now') AS INTEGER))
            FROM invoice JOIN settlement_listener AS listener
                ON coalesce(listener.account, 0) IN (0, invoice.account)
            WHERE payment_hash = $1
            ON CONFLICT (work_id) DO NOTHING
            """,
            [
                .blob(paymentHash.bytes), .text("payment-" + paymentHash.hexadecimal),
                .text(OutboxKind.settlementWebhook.rawValue),
                .blob(Array("{\"paymentHash\":\"\(paymentHash.hexadecimal)\"}".utf8)),
                .text("owner-" + paymentHash.hexadecimal),
            ])
    }
}
