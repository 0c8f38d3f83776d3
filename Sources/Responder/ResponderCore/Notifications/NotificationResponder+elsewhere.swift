import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel

extension NotificationResponder {
    /// Answers for an account that has chosen another answerer. Nothing is ordered from our own nodes, and they are told
    /// of no event: neither money nor swap is theirs.
    func answer(
        _ notification: ReceivedNotification, for name: AccountID, by other: any ResponderDirectory.Answerer
    ) async -> NotificationAnswer {
        let recipient = Recipient(name)
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
                // It is not our node's, so nothing else has checked it.
                guard let bolt11 = try? UnverifiedBolt11Invoice(invoice.pr), bolt11.amount == parameters.amount else {
                    throw .unavailable(.answer(.malformed(.pr)))
                }
                let hash = bolt11.paymentHash
                let body = PayInvoice.body(pr: invoice.pr, verify: parameters.verifyURL(of: hash))
                return .reply(Reply(body), paymentHash: hash)
            }
        case .payVerify(let hash):
            return await answering { () async throws(Refusal) in
                try await payVerify(hash) { paymentHash async throws(Refusal) in
                    try await other.verify(paymentHash, of: name, createdAt: nil)
                }
            }
        case .invoiceRequest(let bytes, let offer): return await offeredInvoice(bytes, offer, for: name, by: other)
        default: return NotificationAnswer(.none(.notAsked), outcome: .ignored)
        }
    }

    /// Answers while it is unknown who answers for the account: nothing is ordered, and nobody is told of an event.
    func refuse(_ notification: ReceivedNotification, _ cause: Refusal.Cause) async -> NotificationAnswer {
        let refusal = Refusal.unavailable(cause)
        switch notification.event {
        case .payInfo, .payInvoice, .payVerify: return await answering { () throws(Refusal) in throw refusal }
        case .invoiceRequest: return refused(.unavailable(cause))
        case .swapUpdated(_, let status): return failed(refusal, text: settings.texts.unfinished(status))
        default: return failed(refusal, text: nil)
        }
    }
}
