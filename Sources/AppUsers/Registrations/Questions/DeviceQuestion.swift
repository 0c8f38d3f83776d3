package import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderCore

/// What a payer asks, and a user's device answers.
///
/// Indirect, since thousands are held while payers wait.
package indirect enum DeviceQuestion: Hashable, Sendable {
    /// The limits and metadata (LUD-06); the answer repeats this URL.
    case info(callback: HTTPURL)
    /// An invoice (LUD-06).
    case invoice(InvoiceQuestion)
    /// Whether an invoice is paid (LUD-21).
    case verify(PaymentHash)
    /// A BOLT12 invoice: the request's TLV stream, and the offer as text.
    case invoiceRequest([UInt8], offer: String)

    package struct InvoiceQuestion: Hashable, Sendable {
        package let query: CallbackQuery
        /// The metadata that this payer was shown; nil when the callback does not tell.
        package let shown: MetadataMark?
        package let verifyTemplate: VerifyTemplate

        package init(_ query: CallbackQuery, shown: MetadataMark?, verifyTemplate: String) {
            self.query = query
            self.shown = shown
            self.verifyTemplate = VerifyTemplate(verifyTemplate)
        }
    }

    /// The envelope that is posted to the webhook: that of breez-lnurl, or, for BOLT12, that of Boltz with a reply URL.
    /// Members are in alphabetical order.
    package func envelope(replyURL: HTTPURL) -> JSONValue {
        let replyURL = JSONValue.string(replyURL.text)
        switch self {
        case .info(let callback):
            return Self.template(.payInfo, ["callback_url": .string(callback.text), "reply_url": replyURL])
        case .invoice(let question):
            var payload: JSONObject = ["amount": .unsigned(question.query.amount.msat)]
            if let comment = question.query.comment { payload.append("comment", .string(comment)) }
            if let nostr = question.query.nostr { payload.append("nostr", .string(nostr)) }
            payload.append("reply_url", replyURL)
            payload.append("verify_url", .string(question.verifyTemplate.text))
            return Self.template(.payInvoice, payload)
        case .verify(let hash):
            return Self.template(.payVerify, ["payment_hash": .string(hash.hexadecimal), "reply_url": replyURL])
        case .invoiceRequest(let bytes, let offer):
            let payload: JSONObject = [
                "invoiceRequest": .string(Hexadecimal.encode(bytes)), "offer": .string(offer), "reply_url": replyURL,
            ]
            return .object(NotificationEnvelope.event.notification("invoice.request", payload))
        }
    }

    private static func template(_ type: NotificationType, _ payload: JSONObject) -> JSONValue {
        .object(NotificationEnvelope.template.notification(type.rawValue, payload))
    }
}

extension DeviceQuestion {
    /// What counts together: invoices of both kinds do.
    enum Kind: String {
        case info, invoice, verify
    }

    var kind: Kind {
        switch self {
        case .info: .info
        case .invoice, .invoiceRequest: .invoice
        case .verify: .verify
        }
    }

    /// Whether several payers who ask it at once get the same answer. Each payer needs an invoice of their own.
    var isShared: Bool {
        if case .invoice = self { false } else { true }
    }

    /// Whether whoever takes it may answer it in the response.
    var isAnsweredByResponse: Bool {
        if case .invoiceRequest = self { true } else { false }
    }
}
