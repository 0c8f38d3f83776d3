import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Contracts

/// Issues invoices: the only code that hands out a node's invoice, whatever the protocol.
struct InvoiceIssuer: Sendable {
    let ledger: any Ledger
    let openInvoices: OpenInvoiceGate
    let noticeMismatch: @Sendable (InvoiceMismatch) -> Void
    let clock: WallClock

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
        let place = try await Reason.translating(
            await openInvoices.place(for: payee.account.name, in: ledger, at: clock()))
        defer { place.leave() }
        let begun = try await Reason.asking(
            payee.node.name,
            await StepLog.measure("node") { () async throws(BackendFault) in
                try await payee.node.backend.beginInvoice(order)
            })
        let invoice = try await Reason.resolving(await inspect(begun.invoice, against: order, of: payee.node))
        do throws(Reason) {
            let createdAt = max(clock(), invoice.timestamp)
            let sealed = try seal(invoice, createdAt)
            let record = IssuedInvoice(
                paymentHash: invoice.paymentHash, account: payee.account.name, backend: payee.node.name,
                label: order.label, bolt11: invoice.text, amount: order.amount, createdAt: createdAt,
                expiresAt: invoice.expiresAt, origin: sealed.origin)
            try await Reason.recording(
                await StepLog.measure("ledger") { () async throws(LedgerFault) in
                    try await ledger.record(record, using: claim)
                })
            place.take()
            try await Reason.asking(payee.node.name, await begun.kept())
            return sealed.document
        } catch {
            // A node that is still storing could store after the cancellation. Recorded invoices are not cancelled.
            try? await begun.kept()
            await cancel(begun.invoice, at: payee.node)
            throw error
        }
    }

    /// The contents of a node's invoice once it matches the order. One that does not is cancelled.
    private func inspect(
        _ answer: BackendInvoice, against order: InvoiceOrder, of node: ReceivingNode
    ) async throws(Refusal.Cause) -> UnverifiedBolt11Invoice {
        do {
            return try InvoiceInspection(of: node.info, order: order).inspect(answer, at: clock())
        } catch {
            let end = await cancel(answer, at: node)
            noticeMismatch(
                InvoiceMismatch(backend: node.name, fault: error, paymentHash: answer.hashToPay, end: end))
            throw .inspection(node.name, error)
        }
    }

    /// Cancels an invoice that no payer will see, so that it does not stay payable.
    ///
    /// The hash inside the invoice counts: the one that the node reports with a wrong invoice may belong to another. An
    /// invoice that a payer holds is never cancelled.
    @discardableResult
    private func cancel(_ answer: BackendInvoice, at node: ReceivingNode) async -> InvoiceMismatch.End {
        guard node.capabilities.cancels else { return .stays }
        do {
            guard try await ledger.invoice(answer.hashToPay) == nil else { return .stays }
        } catch {
            return .stays
        }
        do {
            try await node.backend.cancel(answer.hashToPay)
            return .cancelled
        } catch {
            return .notCancelled(error)
        }
    }
}

/// What a payer gets, and the record for the ledger.
struct SealedInvoice<Document> {
    let document: Document
    let origin: InvoiceOrigin
}
