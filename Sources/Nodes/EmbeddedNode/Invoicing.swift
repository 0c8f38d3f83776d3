import Bolt11
import LightningCoding
import LightningCrypto
package import ResponderModel
import SQLiteLedger

extension EmbeddedBackend {
    /// Signs an invoice. What is needed to honor it follows from the invoice and the node's key, so it is stored
    /// without waiting for the disk; except when the preimage was ordered, which is stored first.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        guard receivable.contains(order.amount) else { throw .amountNotPossible }
        let secret: PaymentSecret
        let preimage: Preimage
        do {
            secret = try PaymentSecret(random: random)
            preimage = try order.preimage ?? preimages.preimage(for: secret)
        } catch {
            throw .refused("no randomness")
        }
        let invoice = try sign(order, paymentHash: preimage.paymentHash, secret: secret)
        let row = NewNodeInvoice(
            preimage: preimage, label: order.label, amount: order.amount, expiresAt: invoice.expiresAt)
        if order.preimage == nil {
            try await lateInvoices.store(row)
        } else {
            do {
                try await database.write { connection throws(StorageFault) in try connection.add(row) }
            } catch {
                throw BackendFault(error)
            }
        }
        return BackendInvoice(bolt11: invoice.text, paymentHash: invoice.paymentHash)
    }

    private func sign(
        _ order: InvoiceOrder,
        paymentHash: PaymentHash,
        secret: PaymentSecret
    ) throws(BackendFault) -> Bolt11Invoice {
        let description: Bolt11Description =
            switch order.description {
            case .text(let text): .text(text)
            case .hashed(let text): .hash(SHA256.hash(Array(text.utf8)))
            }
        let draft = Bolt11Draft(
            network: configuration.network,
            amount: order.amount,
            timestamp: clock(),
            paymentHash: paymentHash,
            paymentSecret: secret,
            description: description,
            expiry: order.expiry,
            features: Bolt11Features(
                required: [.variableLengthOnion, .paymentSecret], optional: [.basicMultiPartPayment]
            )
        )
        return try rethrowing(draft.signed(by: key)) { (fault: Bolt11Fault) in
            BackendFault.refused(fault.readableReason)
        }
    }
}
