import LightningCoding
package import LightningCrypto
package import ResponderModel

extension CoreLightningBackend {
    /// Makes an invoice with `invoice`; a description to be hashed is sent in full, since lightningd hashes it itself.
    ///
    /// - Throws: `BackendFault.nothingReceivable` when the node says that the payment could not arrive; the invoice is
    ///   then canceled.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        guard order.amount > .zero, order.amount <= .maximum else { throw .amountNotPossible }
        var parameters: JSONObject = ["amount_msat": .unsigned(order.amount.msat), "label": .string(order.label)]
        switch order.description {
        case .text(let text):
            parameters["description"] = .string(text)
        case .hashed(let text):
            parameters["description"] = .string(text)
            parameters["deschashonly"] = true
        }
        parameters["expiry"] = .unsigned(order.expiry)
        if let preimage = order.preimage { parameters["preimage"] = .string(preimage.hexadecimal) }
        let answer = try await call("invoice", parameters)
        let invoice = BackendInvoice(
            bolt11: try answer.text("bolt11"),
            paymentHash: try answer.parsed("payment_hash") { try PaymentHash(hexadecimal: $0) }
        )
        guard answer.has("warning_capacity") || answer.has("warning_offline") else { return invoice }
        _ = try? await call("delinvoice", ["label": .string(order.label), "status": "unpaid"])
        throw .nothingReceivable
    }

    /// The state of a payment, by `listinvoices`. The node does not know canceled invoices.
    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await invoice(paymentHash)?.status
    }

    /// Cancels an invoice with `delinvoice`. An expired one is left as it is.
    ///
    /// - Throws: `BackendFault.refused` when it is unknown or has been paid.
    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        guard let invoice = try await invoice(paymentHash) else { throw .refused("unknown") }
        switch invoice.state {
        case .unpaid: _ = try await call("delinvoice", ["label": .string(invoice.label), "status": "unpaid"])
        case .expired: return
        case .paid: throw .refused("settled")
        }
    }

    private func invoice(_ paymentHash: PaymentHash) async throws(BackendFault) -> ListedInvoice? {
        let answer = try await call("listinvoices", ["payment_hash": .string(paymentHash.hexadecimal)])
        let invoices = try answer.elements("invoices")
        guard let first = invoices.first else { return nil }
        let invoice = try ListedInvoice(first)
        guard invoices.count == 1, invoice.paymentHash == paymentHash else { throw first.fault("payment_hash") }
        return invoice
    }
}
