import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension NotificationResponder {
    /// What may be sent (LUD-06). Payer data (LUD-18) is not asked for: a notification would not bring it.
    func payInfo(_ callback: String, of name: AddressName) async throws(Refusal) -> NotificationAnswer {
        let account = try await responder.account(named: name)
        let limits = try await responder.limits(of: account)
        let standing = try await responder.standingMetadata(of: account, cachedFor: settings.infoMaxAge)
        var object: JSONObject = [
            "callback": .string(callback),
            "minSendable": .unsigned(limits.minimum.msat),
            "maxSendable": .unsigned(limits.maximum.msat),
            "metadata": .string(standing.text),
        ]
        let allowed = account.settings.commentAllowed
        if allowed > 0 { object.append("commentAllowed", .integer(allowed)) }
        object.append("tag", .string(LNURLScheme.pay.tag))
        return .reply(Reply(.object(object), maxAge: standing.maxAge))
    }

    /// An invoice. The same event again gets the same one, as long as it can be paid.
    func payInvoice(
        _ wish: NotifiedEvent.InvoiceWish, asked notification: ReceivedNotification, of name: AddressName
    ) async throws(Refusal) -> NotificationAnswer {
        let digest = notification.digest(of: wish, for: name)
        let issued = try await invoicesInFlight.value(for: AccountRequest(account: name, digest: digest)) {
            do throws(Refusal) {
                return .success(try await invoice(wish, digest, of: name))
            } catch {
                return .failure(error)
            }
        }
        .get()
        guard let text = issued.bolt11 else { throw .unknownInvoice }
        var object: JSONObject = ["pr": .string(text), "routes": []]
        if let url = wish.verifyURL(of: issued.paymentHash) { object.append("verify", .string(url)) }
        return .reply(Reply(.object(object)), paymentHash: issued.paymentHash)
    }

    private func invoice(
        _ wish: NotifiedEvent.InvoiceWish, _ digest: RequestDigest, of name: AddressName
    ) async throws(Refusal) -> IssuedInvoice {
        if let earlier = try await responder.payInvoice(answering: digest, of: name) { return earlier }
        do {
            return try await responder.notifiedInvoice(wish, digest, of: name, cachedFor: settings.infoMaxAge)
        } catch .unavailable(.ledger(.requestAnswered)) {
            // Another process was faster.
            guard let earlier = try await responder.payInvoice(answering: digest, of: name) else {
                throw .unavailable(.ledger(.requestAnswered))
            }
            return earlier
        }
    }

    /// Whether an invoice has been paid (LUD-21).
    func payVerify(_ hash: String, of name: AddressName) async throws(Refusal) -> NotificationAnswer {
        guard let paymentHash = try? PaymentHash(hexadecimal: hash) else { throw .unknownInvoice }
        let answer = try await responder.verify(paymentHash, of: name, asksNode: settings.asksNode)
        return .reply(
            Reply(answer.json, maxAge: answer.settled ? settings.settledMaxAge : settings.openMaxAge),
            paymentHash: paymentHash
        )
    }
}

extension ReceivedNotification {
    /// By what a question for an invoice is recognised when it comes again.
    ///
    /// Not by what it says alone: two payers may want the same. It is the same question when its sender gives it the same
    /// id, or, when there is no id, when the answer goes to the same place, since services make up a reply URL for every
    /// payer who asks.
    func digest(of wish: NotifiedEvent.InvoiceWish, for account: AddressName) -> RequestDigest {
        let origin: JSONValue = messageID.map { ["id": .string($0)] } ?? ["url": .string(replyURL ?? "")]
        let question: JSONValue = [
            "lnurlpay_invoice", .string(account.text), origin, .unsigned(wish.amount.msat), .string(wish.comment ?? ""),
            .string(wish.verifyTemplate ?? ""),
        ]
        return RequestDigest(of: question.serializedBytes())
    }
}
