import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

extension NotificationResponder {
    /// The limits and metadata (LUD-06). Payer data (LUD-18) is not requested, since notifications do not carry it.
    func payInfo(_ callback: String, of name: AccountID) async throws(Refusal) -> NotificationAnswer {
        let payee = try await responder.payee(try await responder.account(named: name))
        let standing = try await responder.standingMetadata(of: payee.account, cachedFor: settings.infoMaxAge)
        let body = PayRequest.body(
            callback: callback, minSendable: payee.limits.minimum, maxSendable: payee.limits.maximum,
            metadata: standing.text, commentAllowed: payee.account.settings.commentAllowed)
        return .reply(Reply(body, maxAge: standing.maxAge))
    }

    /// An invoice. A repeated event gets the same one while it can be paid.
    func payInvoice(
        _ parameters: NotifiedEvent.InvoiceParameters, asked notification: ReceivedNotification, of name: AccountID
    ) async throws(Refusal) -> NotificationAnswer {
        let digest = notification.digest(of: parameters, for: name)
        let issued = try await invoicesInFlight.value(for: AccountRequest(account: name, digest: digest)) {
            do throws(Refusal) {
                return .success(try await invoice(parameters, digest, of: name))
            } catch {
                return .failure(error)
            }
        }
        .get()
        let body = PayInvoice.body(pr: issued.text, verify: parameters.verifyURL(of: issued.paymentHash))
        return .reply(Reply(body), paymentHash: issued.paymentHash)
    }

    private func invoice(
        _ parameters: NotifiedEvent.InvoiceParameters, _ digest: RequestDigest, of name: AccountID
    ) async throws(Refusal) -> NotifiedInvoice {
        if let earlier = try await responder.payInvoice(answering: digest, of: name) { return earlier }
        do {
            return try await responder.notifiedInvoice(
                of: parameters.amount, comment: parameters.comment, digest, for: name, cachedFor: settings.infoMaxAge)
        } catch .unavailable(.ledger(.requestAnswered)) {
            // Another process was faster.
            guard let earlier = try await responder.payInvoice(answering: digest, of: name) else {
                throw .unavailable(.ledger(.requestAnswered))
            }
            return earlier
        }
    }

    /// Whether an invoice has been paid (LUD-21).
    func payVerify(
        _ hash: String, _ verify: (PaymentHash) async throws(Refusal) -> VerifyResponse
    ) async throws(Refusal) -> NotificationAnswer {
        guard let paymentHash = try? PaymentHash(hexadecimal: hash) else { throw .unknownInvoice }
        let answer = try await verify(paymentHash)
        return .reply(
            Reply(answer.json, maxAge: answer.settled ? settings.settledMaxAge : settings.openMaxAge),
            paymentHash: paymentHash
        )
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

extension NotificationResponder {
    /// A BOLT12 invoice for a request that a forwarder received from the Lightning network.
    func offeredInvoice(
        _ request: [UInt8], _ offer: String?, for name: AccountID, by answerer: any InvoiceRequestResponder
    ) async -> NotificationAnswer {
        do throws(RequestRefusal) {
            let invoice = try await answerer.invoice(
                answering: request, to: try offer.map(Self.offer), for: name, arrival: .forwarder)
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
