import Bolt12
import LightningCoding
import OutboundHTTP

/// The response to a webhook's `invoice.request`: an invoice that breaks no rule by itself.
struct WebhookAnswer {
    let invoice: Bolt12Invoice
    let status: Int

    init(_ response: HTTPResponse) throws(ToolFault) {
        try response.refuseTemporaryFailure()
        let answer = try ServiceAnswer(response)
        if let reason = answer.json["error"]?.string { throw .refused(reason: reason, status: response.status) }
        guard let text = answer.json["invoice"]?.string else { throw .webhookAnswer(status: response.status) }
        invoice = try rethrowing(Bolt12Invoice(text), as: ToolFault.servedBolt12Invoice)
        status = response.status
    }

    var httpCheck: Check {
        200...299 ~= status
            ? .passed("HTTP", "status \(status)")
            : .failed("HTTP", "status \(status): an invoice counts with a status of 200 to 299 only")
    }
}

extension Service {
    func requestInvoice(
        of offer: Offer, _ request: InvoiceRequest, from webhook: HTTPURL
    ) async throws(ToolFault) -> WebhookAnswer {
        let data: JSONValue = [
            "offer": .string(offer.text), "invoiceRequest": .string(Hexadecimal.encode(request.stream.bytes)),
        ]
        let body: JSONValue = ["event": "invoice.request", "data": data]
        return try WebhookAnswer(await send(.post, body.serializedBytes(), to: webhook))
    }
}
