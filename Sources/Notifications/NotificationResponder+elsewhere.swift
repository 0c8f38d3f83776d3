import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Contracts
import ResponderCore

extension NotificationResponder {
    /// Answers for an account that has chosen another answerer. Nothing is ordered from our own nodes, and they are told
    /// of no event: neither money nor swap is theirs.
    func answer(
        _ notification: ReceivedNotification, for name: AddressName, by other: any Answerers.Answerer
    ) async -> NotificationAnswer {
        let recipient = LocalPart(name: name)
        switch notification.event {
        case .payInfo(let callback):
            return await answering { () async throws(Refusal) in
                let request = try await other.payRequest(for: recipient)
                return .reply(
                    Reply(
                        PayRequest.body(
                            callback: callback, minSendable: request.minSendable, maxSendable: request.maxSendable,
                            metadata: request.metadata, commentAllowed: request.commentAllowed)))
            }
        case .payInvoice(let parameters):
            return await answering(parameters.amount) { () async throws(Refusal) in
                let query = CallbackQuery(amount: parameters.amount, comment: parameters.comment)
                let invoice = try await other.payInvoice(for: recipient, version: nil, query: query)
                let hash = (try? UnverifiedBolt11Invoice(invoice.pr))?.paymentHash
                let body = PayInvoice.body(pr: invoice.pr, verify: hash.flatMap { parameters.verifyURL(of: $0) })
                return .reply(Reply(body), paymentHash: hash)
            }
        case .payVerify(let hash):
            return await answering { () async throws(Refusal) in
                try await payVerify(hash) { paymentHash async throws(Refusal) in
                    try await other.verify(paymentHash, of: name)
                }
            }
        case .invoiceRequest(let bytes, let offer): return await offeredInvoice(bytes, offer, for: name, by: other)
        default: return NotificationAnswer(.none(.notAsked), outcome: .ignored)
        }
    }
}
