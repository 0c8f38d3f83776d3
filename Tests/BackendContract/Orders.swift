import Bolt11
import LightningCoding
import LightningCrypto
package import ResponderModel
import Testing

extension InvoiceOrder {
    /// An order over 21,000 msat that expires after ten minutes.
    static func sample(
        _ label: String = "5f5e1000a1b2c3d4e5f60718293a4b5c",
        _ amount: Millisatoshi = Millisatoshi(21_000),
        _ description: Description = .hashed(
            #"[["text/plain","Pay to alice"],["text/identifier","alice@example.com"]]"#),
        expiry: UInt64 = 600,
        preimage: Preimage? = nil
    ) -> InvoiceOrder {
        InvoiceOrder(amount: amount, description: description, expiry: expiry, label: label, preimage: preimage)
    }
}

extension BackendFixture {
    /// Orders an invoice and inspects it as the responder does.
    @discardableResult
    func invoice(_ order: InvoiceOrder, from backend: any ReceiveBackend) async throws -> UnverifiedBolt11Invoice {
        let network = try await backend.nodeInfo().network
        let answer = try await backend.createInvoice(order)
        return try InvoiceInspection(network: network, order: order).inspect(answer, at: await now)
    }

    /// Orders an invoice and pays it.
    @discardableResult
    func paid(_ order: InvoiceOrder, at backend: any ReceiveBackend) async throws -> PaymentHash {
        let invoice = try await invoice(order, from: backend)
        try await pay(invoice.text, order.amount)
        return invoice.paymentHash
    }
}

extension ReceiveBackend {
    /// Waits for that many settlements after a cursor.
    package func settlements(_ count: Int, after cursor: SettlementCursor? = nil) async throws -> [Settlement] {
        var found: [Settlement] = []
        for try await report in settlements(after: cursor) {
            if let settlement = try report.get() { found.append(settlement) }
            if found.count == count { break }
        }
        return found
    }
}
