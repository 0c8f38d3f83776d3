import LightningCoding
package import LightningCrypto
import OutboundHTTP
package import ResponderModel

extension PhoenixdBackend {
    /// Makes an invoice with `createinvoice`.
    ///
    /// - Throws: `BackendFault.amountNotPossible` for an amount that is not whole satoshis, which phoenixd cannot
    ///   express.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        guard order.preimage == nil else { throw .unsupported }
        guard order.amount.isWholeSatoshi else { throw .amountNotPossible }
        let description =
            switch order.description {
            case .text(let text): (name: "description", value: text)
            case .hashed(let text):
                (name: "descriptionHash", value: Hexadecimal.encode(SHA256.hash(Array(text.utf8))))
            }
        let form = [
            description, (name: "amountSat", value: String(order.amount.msat / 1000)),
            (name: "expirySeconds", value: String(order.expiry)), (name: "externalId", value: order.label),
        ]
        let body = try await ask(.post, "/createinvoice", form)
        let answer = try NodeAnswer(body, configuration.limits)
        return BackendInvoice(
            bolt11: try answer.text("serialized"),
            paymentHash: try answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
        )
    }

    /// The state of an invoice's payment, by `payments/incoming/{paymentHash}`.
    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        guard let body = try await find(.get, "/payments/incoming/\(paymentHash.hexadecimal)") else { return nil }
        let answer = try NodeAnswer(body, configuration.limits)
        let payment = try IncomingPayment(answer)
        guard payment.paymentHash == paymentHash else { throw answer.fault("paymentHash") }
        return payment.status
    }

    /// phoenixd has no such call.
    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        throw .unsupported
    }
}
