package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension Responder {
    package func invoice(
        _ paymentHash: PaymentHash, of name: AccountID, createdAt: UnixTime? = nil
    ) async throws(Refusal) -> IssuedInvoice {
        guard let invoice = try await Refusal.asking(await ledger.invoice(paymentHash, createdAt: createdAt)),
            invoice.account == name
        else {
            throw .unknownInvoice
        }
        return invoice
    }

    package func status(of invoice: IssuedInvoice) async throws(Refusal) -> PaymentStatus? {
        let backend = try rethrowing(nodes.backend(named: invoice.backend), as: Refusal.unavailable)
        return try await awaiting(await backend.status(of: invoice.paymentHash)) {
            Refusal.unavailable(.backend(invoice.backend, $0))
        }
    }

    /// Records an invoice's payment as the node reported it, regardless of what else has been recorded: waiting for its
    /// position in the node's order could mean waiting for the next payment.
    ///
    /// - Parameter status: what the node says of it.
    /// - Returns: whether it reports a payment, and proves it.
    package func recordPayment(_ status: PaymentStatus?, of invoice: IssuedInvoice) async throws(Refusal) -> Bool {
        guard let settlement = status?.settlement(of: invoice.paymentHash) else { return false }
        _ = try await Refusal.asking(
            await ledger.record(
                settlement, of: invoice.paymentHash, issuedAt: invoice.createdAt, from: invoice.backend))
        return true
    }

    /// Passes an event from outside on to the account's node; returns the payment that it concerns, if known.
    package func advance(_ event: BackendEvent, of name: AccountID) async throws(Refusal) -> PaymentHash? {
        let backendName = try await account(named: name).settings.backend
        let backend = try rethrowing(nodes.backend(named: backendName), as: Refusal.unavailable)
        return try await awaiting(
            await StepLog.measure("node") { () async throws(BackendFault) in try await backend.advance(event) }
        ) { Refusal.unavailable(.backend(backendName, $0)) }
    }
}

/// A backend whose invoices can be settled by hand: only the embedded node.
///
/// Separate from `ReceiveBackend`, so that it can never be applied to a real node.
package struct SettlementOnCommand: Sendable {
    package let backend: BackendName
    private let play: @Sendable (IssuedInvoice) async throws(SettlementFault) -> Void

    package init(
        backend: BackendName,
        play: @escaping @Sendable (IssuedInvoice) async throws(SettlementFault) -> Void
    ) {
        self.backend = backend
        self.play = play
    }

    /// Settles an invoice as if it had been paid.
    ///
    /// - Throws: `SettlementFault` when the invoice cannot be settled by hand.
    package func settle(_ invoice: IssuedInvoice) async throws(SettlementFault) {
        guard invoice.backend == backend else { throw .notOnCommand(invoice.backend) }
        guard invoice.settlement == nil else { throw .alreadySettled }
        try await play(invoice)
    }
}
