import Bolt11
import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel
import SQLiteLedger

extension EmbeddedBackend {
    /// Simulates a payer who holds an invoice: it is paid even when the node lost its record, as when its process was
    /// killed.
    @discardableResult
    package func pay(_ bolt11: String, at now: UnixTime) async throws(SettlementFault) -> Settlement {
        guard let invoice = try? Bolt11Invoice(bolt11), invoice.payee == publicKey else { throw .unknown }
        guard let preimage = try? preimages.preimage(for: invoice.paymentSecret), let amount = invoice.amount,
            preimage.paymentHash == invoice.paymentHash
        else { return try await settle(invoice.paymentHash, at: now) }
        let record = NewNodeInvoice(preimage: preimage, label: "", amount: amount, expiresAt: invoice.expiresAt)
        return try await settle(invoice.paymentHash, received: nil, at: now, adding: record)
    }

    /// Simulates the payer: the invoice is paid, now and for good.
    ///
    /// - Parameter received: the amount received, in msat; nil for the invoice's amount.
    @discardableResult
    package func settle(
        _ paymentHash: PaymentHash,
        received: Millisatoshi? = nil,
        at now: UnixTime
    ) async throws(SettlementFault) -> Settlement {
        try await settle(paymentHash, received: received, at: now, adding: nil)
    }

    /// - Parameter record: the invoice's, added if it is missing.
    private func settle(
        _ paymentHash: PaymentHash, received: Millisatoshi?, at now: UnixTime, adding record: NewNodeInvoice?
    ) async throws(SettlementFault) -> Settlement {
        try await SettlementFault.asking(await unstored.store())
        let result: Result<Settlement, SettlementFault> = try await SettlementFault.asking(
            await database.write { connection throws(LedgerFault) in
                if let record { try connection.addIfMissing(record) }
                guard let invoice = try connection.nodeInvoice(paymentHash) else { return .failure(.unknown) }
                let received = received ?? invoice.amount
                switch invoice.status(at: now) {
                case .settled: return .failure(.alreadySettled)
                case .closed: return .failure(invoice.isCanceled ? .canceled : .expired)
                case .open: break
                }
                guard invoice.accepts(received) else { return .failure(.failed("the amount is not accepted")) }
                let id = try connection.insertSettlement(of: invoice, received: received, at: now)
                return .success(
                    Settlement(
                        paymentHash: paymentHash, preimage: invoice.preimage, received: received, settledAt: now,
                        cursor: SettlementCursor(position: id)
                    )
                )
            })
        let settlement = try result.get()
        wakeSignal.wake()
        return settlement
    }

    /// Every settlement after the cursor, then each new one: those simulated by this process at once, those of others
    /// at the next tick.
    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        let feed = SettlementFeed(
            after: cursor, in: database, news: WakeSignal.Listener(to: wakeSignal, ticks: ticks()))
        return AsyncThrowingStream { try await feed.next().map { .success($0) } }
    }

    /// Whether a settlement with the cursor's number or a higher one exists.
    package func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        guard let position = cursor.position, position > 0 else { return .reached }
        return try await BackendFault.asking(
            await database.read { connection throws(LedgerFault) in
                try connection.first(
                    "SELECT 1 FROM node_settlement WHERE id >= ?1 LIMIT 1", [.integer(position)]
                ) { _ in .reached } ?? .renumbered
            })
    }
}

extension Connection {
    fileprivate func insertSettlement(
        of invoice: NodeInvoice,
        received: Millisatoshi,
        at now: UnixTime
    ) throws(LedgerFault) -> Int64 {
        let id = try first(
            "INSERT INTO node_settlement (invoice, settled_at, received) VALUES (?1, ?2, ?3) RETURNING id",
            [.integer(invoice.id), .integer(now), .integer(received)]
        ) { row throws(LedgerFault) in
            try row.integer("id")
        }
        guard let id else { throw .corrupt("a settlement was not added") }
        return id
    }
}
