import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

/// Issues invoices: the only code that hands out a node's invoice, whatever the protocol.
struct InvoiceIssuer: Sendable {
    let ledger: any InvoiceLedger
    let openInvoices: OpenInvoiceGate
    let clock: WallClock
    let nodeClocks: NodeClocks

    /// Orders an invoice from the payee's node, seals it for the payer, and records both before this returns.
    ///
    /// - Parameters:
    ///   - claim: what the invoice consumes, in the same transaction.
    ///   - seal: turns the node's inspected invoice into what the payer gets.
    /// - Throws: why there is none; the node's invoice is then cancelled, if the node supports that.
    func issue<Document, Reason: InvoiceRefusal>(
        _ order: InvoiceOrder, for payee: Payee, claiming claim: InvoiceClaim?,
        sealing seal: (UnverifiedBolt11Invoice, _ createdAt: UnixTime) throws(Reason) -> SealedInvoice<Document>
    ) async throws(Reason) -> Document {
        let place = try await awaiting(
            await openInvoices.place(
                for: payee.account.id, limit: payee.account.domain.settings.maximumOpenInvoices, in: ledger, at: clock()
            ), as: Reason.init(_:))
        defer { place.leave() }
        let asked = clock()
        let made = try await awaiting(
            await StepLog.measure("node") { () async throws(BackendFault) in
                try await payee.node.backend.createInvoice(order)
            }
        ) { Reason.unavailable(.backend(payee.node.name, $0)) }
        let invoice = try await awaiting(
            await inspect(made, against: order, of: payee, askedAt: asked), as: Reason.unavailable)
        do throws(Reason) {
            let createdAt = max(clock(), invoice.timestamp)
            let sealed = try seal(invoice, createdAt)
            let record = IssuedInvoice(
                paymentHash: invoice.paymentHash, account: payee.account.id, backend: payee.node.name,
                label: order.label, bolt11: invoice.text, amount: order.amount, createdAt: createdAt,
                expiresAt: invoice.expiresAt, origin: sealed.origin)
            try await awaiting(
                await StepLog.measure("ledger") { () async throws(LedgerFault) in
                    try await ledger.record(record, using: claim)
                }
            ) { Reason(recording: $0) }
            place.take()
            return sealed.document
        } catch {
            await cancel(made, at: payee.node)
            throw error
        }
    }

    /// The contents of a node's invoice once it matches the order. One that does not is recorded, to be cancelled.
    private func inspect(
        _ answer: BackendInvoice, against order: InvoiceOrder, of payee: Payee, askedAt asked: UnixTime
    ) async throws(Refusal.Cause) -> UnverifiedBolt11Invoice {
        let now = clock()
        if let invoice = try? UnverifiedBolt11Invoice(answer.bolt11) {
            nodeClocks.compare(invoice.timestamp, of: payee.node.name, with: asked...max(asked, now))
        }
        do {
            return try InvoiceInspection(of: payee.node.info, order: order).inspect(answer, at: now)
        } catch {
            let mismatch = InvoiceMismatch(
                backend: payee.node.name, paymentHash: answer.hashToPay, cause: error.reason, account: payee.account.id)
            let expiry = (try? UnverifiedBolt11Invoice(answer.bolt11))?.expiresAt ?? now.adding(seconds: order.expiry)
            let work = OutboxWork(mismatch, at: now, deadline: min(expiry, .lastSecond))
            // Whatever the ledger does, the mismatch is what the operator must learn.
            let isRecorded = try? await ledger.add(work, upTo: InvoiceMismatch.maximumPending)
            if isRecorded != true { ledger.observers.tell(.unrecordedMismatch(mismatch)) }
            throw .inspection(payee.node.name, error)
        }
    }

    /// Cancels an invoice that no payer will see, so that it does not stay payable.
    ///
    /// The hash inside the invoice counts: the one that the node reports with a wrong invoice may belong to another. An
    /// invoice that a payer holds is never cancelled.
    private func cancel(_ answer: BackendInvoice, at node: ReceivingNode) async {
        do {
            guard node.capabilities.cancels, try await ledger.invoice(answer.hashToPay) == nil else { return }
            try await node.backend.cancel(answer.hashToPay)
        } catch {
            // It stays until it expires.
        }
    }
}

/// What a payer gets, and the record for the ledger.
struct SealedInvoice<Document> {
    let document: Document
    let origin: InvoiceOrigin
}
