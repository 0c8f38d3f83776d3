import Bolt11
import LightningCoding
import LightningCrypto
public import Contracts
import SQLiteStorage

extension EmbeddedBackend {
    /// Signs an invoice and stores what is needed to honour it.
    public func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        let begun = try await beginInvoice(order)
        try await begun.kept()
        return begun.invoice
    }

    /// Signs an invoice and queues its write, in the order of these calls: later writes through the same database share
    /// its commit or come after it.
    public func beginInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BegunInvoice {
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
        let write = database.submit { connection throws(StorageFault) in
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
        return BegunInvoice(BackendInvoice(bolt11: invoice.text, paymentHash: invoice.paymentHash)) {
            () async throws(BackendFault) in
            _ = try await awaiting(await write.result()) { (fault: StorageFault) in BackendFault(fault) }
        }
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
