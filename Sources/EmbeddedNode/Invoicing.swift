import Bolt11
import LightningCrypto
public import Receiving
import SQLiteStorage

extension EmbeddedBackend {
    /// Signs an invoice and writes down what is needed to honour it.
    public func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        guard receivable.contains(order.amount) else { throw .amountNotPossible }
        let preimage: Preimage
        let secret: PaymentSecret
        do {
            preimage = try order.preimage ?? Preimage(random: random)
            secret = try PaymentSecret(random: random)
        } catch {
            throw .refused("no randomness")
        }
        let invoice = try sign(order, paymentHash: preimage.paymentHash, secret: secret)
        do {
            try await database.write { connection throws(StorageFault) in
                try connection.run(
                    """
                    INSERT INTO node_invoice (payment_hash, preimage, label, amount, expires_at)
                    VALUES (?1, ?2, ?3, ?4, ?5)
                    """,
                    [
                        .blob(invoice.paymentHash.bytes), .blob(preimage.bytes), .text(order.label),
                        try .amount(order.amount), try .time(invoice.expiresAt),
                    ]
                )
            }
        } catch {
            throw BackendFault(error)
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
        do {
            return try draft.signed(by: key)
        } catch {
            throw .refused("\(error)")
        }
    }
}
