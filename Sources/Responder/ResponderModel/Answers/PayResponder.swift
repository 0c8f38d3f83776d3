package import BlindedPaths
package import Bolt12
package import LNURL
package import LightningCoding
package import LightningCrypto
package import OnionMessages

/// Answers the payers of Lightning addresses: LNURL-pay (LUD-06, LUD-16) and LNURL-verify (LUD-21).
///
/// Every request names an account, so an implementation can forward it to the one that the account has chosen.
package protocol PayResponder: Sendable {
    /// The limits and metadata of an address, and where to request the invoice.
    func payRequest(for recipient: Recipient) async throws(Refusal) -> PayRequest

    /// An invoice for that amount, durable before this returns.
    ///
    /// - Parameters:
    ///   - version: the version of the account shown to the payer; nil means the current one.
    ///   - query: what the payer sent.
    func payInvoice(
        for recipient: Recipient, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice

    /// Whether an invoice issued over LNURL for that account has been paid. The preimage is included only once the
    /// payment is settled.
    ///
    /// - Parameter createdAt: when the invoice was issued, if known.
    func verify(
        _ paymentHash: PaymentHash, of account: AccountID, createdAt: UnixTime?
    ) async throws(Refusal) -> VerifyResponse
}

extension PayResponder {
    /// Whether an invoice issued over LNURL for that account has been paid.
    package func verify(_ paymentHash: PaymentHash, of account: AccountID) async throws(Refusal) -> VerifyResponse {
        try await verify(paymentHash, of: account, createdAt: nil)
    }
}

/// Answers invoice requests (BOLT 12) for the offers of an account.
package protocol InvoiceRequestResponder: Sendable {
    /// A signed BOLT12 invoice, durable before this returns.
    ///
    /// - Parameters:
    ///   - bytes: the request's TLV stream.
    ///   - offer: the offer that the request claims to be for; nil when it is not known.
    ///   - name: the account.
    ///   - arrival: how the request arrived.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, for name: AccountID, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice
}

/// Answers the onion messages addressed to our own key.
package protocol OnionMessageResponder: Sendable {
    /// The reply to a message, or why there is none.
    func answer(to message: ReceivedMessage) async -> MessageAnswer
}

/// How an onion message is answered.
package enum MessageAnswer: Hashable, Sendable {
    /// Send this; `refusal` says why it is not an invoice.
    case reply(MessageContent, over: BlindedPath, refusal: RequestRefusal?)
    /// Send nothing.
    case silence(MessageSilence)
}

/// Why an onion message is not answered.
package enum MessageSilence: Error, Hashable, Sendable {
    /// It does not request an invoice.
    case notARequest
    /// It has no reply path.
    case noReplyPath
    /// It came over a path that is not ours, or that was modified.
    case unknownPath
    /// A reply would reveal whom an offer belongs to.
    case notForUs(RequestRefusal)
    /// The same request may be answered later; an `invoice_error` would make the payer give up for good.
    case notNow(RequestRefusal)

    /// The text for the operator.
    package var reason: String {
        switch self {
        case .notARequest: "it is not an invoice request"
        case .noReplyPath: "it has no reply path"
        case .unknownPath: "it came over an unknown or modified path"
        case .notForUs(let refusal), .notNow(let refusal): refusal.cause ?? refusal.reason
        }
    }
}
