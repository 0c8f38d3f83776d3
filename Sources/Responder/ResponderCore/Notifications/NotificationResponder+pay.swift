import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

extension NotificationResponder {
    /// The limits and metadata (LUD-06).
    func payInfo(_ callback: String, by recipient: any PayResponder) async throws(Refusal) -> NotificationAnswer {
        let payer = Payer(notified: Payer.Notified(lifetime: settings.infoMaxAge))
        let (request, maxAge) = try await recipient.payRequest(for: payer)
        return .reply(Reply(request.json(callback: callback), maxAge: maxAge))
    }

    /// An invoice. A repeated event gets the same one while it can be paid.
    func payInvoice(
        _ parameters: NotifiedEvent.InvoiceParameters, _ request: RequestDigest, by recipient: any PayResponder
    ) async throws(Refusal) -> NotificationAnswer {
        let (invoice, paymentHash) = try await recipient.payInvoice(
            CallbackQuery(amount: parameters.amount, comment: parameters.comment, nostr: parameters.nostr), token: nil,
            for: Payer(notified: Payer.Notified(lifetime: settings.infoMaxAge, request: request)))
        let body = invoice.json(verify: parameters.verifyURL(of: paymentHash), disposable: nil)
        return .reply(Reply(body), paymentHash: paymentHash)
    }

    /// Whether an invoice has been paid (LUD-21).
    func payVerify(_ hash: String, by recipient: any PayResponder) async throws(Refusal) -> NotificationAnswer {
        guard let paymentHash = try? PaymentHash(hexadecimal: hash) else { throw .unknownInvoice }
        let answer = try await recipient.verify(paymentHash, token: nil, for: Payer())
        return .reply(
            Reply(answer.json, maxAge: answer.settled ? settings.settledMaxAge : settings.openMaxAge),
            paymentHash: paymentHash
        )
    }

    /// A BOLT12 invoice for a request that a forwarder received from the Lightning network.
    func offeredInvoice(
        _ request: [UInt8], _ offer: String?, by recipient: any PayResponder
    ) async -> NotificationAnswer {
        do throws(RequestRefusal) {
            let invoice = try await recipient.invoice(
                answering: request, to: try offer.map(Self.offer), issued: nil, arrival: .forwarder)
            return .reply(Reply(["invoice": .string(invoice.text)]), paymentHash: invoice.paymentHash)
        } catch {
            return refused(error)
        }
    }

    /// The answer to a request for an invoice that there is none for.
    func refused(_ refusal: RequestRefusal) -> NotificationAnswer {
        let cause = refusal.cause
        let outcome: EventRecord.Outcome = cause == nil ? .refused : .failed
        if refusal.isSilent { return NotificationAnswer(.none(.ignored), outcome: outcome) }
        if refusal.isTransient { return NotificationAnswer(.none(.transient), outcome: outcome, cause: cause) }
        return NotificationAnswer(
            .reply(Reply(["error": .string(refusal.reason)], isError: true)), outcome: outcome, cause: cause)
    }

    private static func offer(_ text: String) throws(RequestRefusal) -> Offer {
        try rethrowing(Offer(text), as: RequestRefusal.request(.offerMismatch))
    }
}

extension ReceivedNotification {
    /// Identifies a repeated request for an invoice.
    ///
    /// The content alone is not enough: two payers may request the same. Requests are the same when the sender gives
    /// them the same id or, without an id, the same reply URL, since services create one per payer.
    func digest(of parameters: NotifiedEvent.InvoiceParameters, for account: AccountID) -> RequestDigest {
        let origin: JSONValue = messageID.map { ["id": .string($0)] } ?? ["url": .string(replyURL ?? "")]
        let question: JSONValue = [
            "lnurlpay_invoice", .string(account.text), origin, .unsigned(parameters.amount.msat),
            .string(parameters.comment ?? ""),
            .string(parameters.verifyTemplate ?? ""),
        ]
        return RequestDigest(of: question.serializedBytes())
    }
}
