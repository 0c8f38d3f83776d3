import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Contracts

/// Issues invoices: the one way by which an invoice of a node leaves, in whatever dialect it was asked for.
struct InvoiceIssuer: Sendable {
    let ledger: any Ledger
    let openInvoices: OpenInvoiceGate
    let noticeMismatch: @Sendable (InvoiceMismatch) -> Void
    let clock: WallClock

    /// Has the payee's node make an invoice, makes of it what the payer gets, and writes both down before this returns.
    ///
    /// - Parameters:
    ///   - claim: what the invoice uses up, in the same transaction.
    ///   - seal: makes what the payer gets of the node's invoice, which is what was ordered.
    /// - Throws: why there is none; the node then has cancelled its invoice, where it can do so.
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
            // A node that is still writing could write after the cancellation. It cancels none that was recorded.
            try? await begun.kept()
            await cancel(begun.invoice, at: payee.node)
            throw error
        }
    }

    /// The contents of a node's invoice, once it is known to be what was ordered. One that is not is cancelled.
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

    /// Has the node cancel an invoice that no payer will see, so that it does not stay payable.
    ///
    /// The hash that counts is the one inside: what the node names beside a wrong invoice may be another's. An invoice that a
    /// payer holds is never cancelled.
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
            return .letGo
        } catch {
            return .notLetGo(error)
        }
    }
}

/// What a payer gets, and how the ledger keeps it.
struct SealedInvoice<Document> {
    let document: Document
    let origin: InvoiceOrigin
}
