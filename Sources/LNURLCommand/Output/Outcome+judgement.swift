import Bolt12
import Conformance
import LightningCoding
import LightningCrypto

extension Outcome {
    /// The answer to an invoice request, and whether it may be paid.
    ///
    /// - Parameters:
    ///   - further: checks besides those of the payer.
    ///   - way: how the answer was received.
    init(of judgement: PayerChecks, _ further: [Check] = [], way: JSONObject) {
        let (invoice, request) = (judgement.invoice, judgement.request)
        let checks = judgement.all + further
        self.init(status: checks.haveFailed ? .brokenRule : .ok)
        json = [
            "invoice": .string(invoice.text), "invoiceRequest": .string(request.text),
            "amount": .unsigned(invoice.amount.msat), "paymentHash": .string(invoice.paymentHash.hexadecimal),
            "nodeID": .string(invoice.nodeID.hexadecimal), "expiresAt": .unsigned(invoice.expiresAt.seconds),
        ]
        json.append(way)
        json.append(["brokenRule": .text(judgement.fault?.rule), "checks": checks.json])
        page.add(title: "BOLT12 invoice for \(invoice.amount.formatted)")
        page.add("payment hash", invoice.paymentHash.hexadecimal)
        page.add("request", request.text)
        page.add(checks)
        page.add("")
        page.add(checks.haveFailed ? "Do not pay this invoice:" : "Pay:")
        page.add(invoice.text)
    }
}
