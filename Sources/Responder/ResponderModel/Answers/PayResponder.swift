package import BlindedPaths
package import Bolt12
package import LNURL
package import LightningCrypto
package import OnionMessages

/// Answers the payers of one recipient, who has been looked up: LNURL-pay (LUD-06, LUD-16), LNURL-verify (LUD-21) and invoice
/// requests (BOLT 12).
package protocol PayResponder: Sendable {
    var kind: RecipientKind { get }
    /// For whom invoices are counted; nil where nobody has that key.
    var account: AccountID? { get }

    /// The limits and metadata, and where to request the invoice.
    ///
    /// - Returns: also for how many seconds another service may show them; nil when that is not known.
    func payRequest(for payer: Payer) async throws(Refusal) -> (request: PayRequest, maxAge: UInt64?)

    /// An invoice for that amount, durable before this returns.
    func payInvoice(
        _ query: CallbackQuery, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> (invoice: PayInvoice, paymentHash: PaymentHash)

    /// Whether an invoice issued over LNURL for the recipient has been paid. The preimage is included only once the payment is
    /// settled.
    func verify(
        _ paymentHash: PaymentHash, token: PayToken?, for payer: Payer
    ) async throws(Refusal) -> VerifyResponse

    /// A signed BOLT12 invoice, durable before this returns.
    ///
    /// - Parameters:
    ///   - bytes: the request's TLV stream.
    ///   - offer: the offer that the request claims to be for; nil when it is not known.
    ///   - issued: what the ledger holds of it; nil when that has not been read.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, issued: IssuedOffer?, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice
}

package enum RecipientKind: Hashable, Sendable {
    /// An account: our own nodes receive for it.
    case account
    /// An app user: each answer is asked of a device of that key's owner.
    case registered(PublicKey)
    case unknown

    package var isRegistered: Bool { if case .registered = self { true } else { false } }
}

package protocol OnionMessageResponder: Sendable {
    func answer(to message: ReceivedMessage) async -> MessageAnswer
}

package enum MessageAnswer: Hashable, Sendable {
    /// Send this; `refusal` says why it is not an invoice.
    case reply(MessageContent, over: BlindedPath, refusal: RequestRefusal?)
    case silence(MessageSilence)
}

package enum MessageSilence: Error, Hashable, Sendable {
    case notARequest
    case noReplyPath
    /// It came over a path that is not ours, or that was modified.
    case unknownPath
    /// A reply would reveal whom an offer belongs to.
    case notForUs(RequestRefusal)
    /// The same request may be answered later; an `invoice_error` would make the payer give up for good.
    case notNow(RequestRefusal)

    package var reason: String {
        switch self {
        case .notARequest: "it is not an invoice request"
        case .noReplyPath: "it has no reply path"
        case .unknownPath: "it came over an unknown or modified path"
        case .notForUs(let refusal), .notNow(let refusal): refusal.cause ?? refusal.reason
        }
    }
}
