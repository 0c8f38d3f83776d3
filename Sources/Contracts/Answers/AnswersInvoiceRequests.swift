public import BlindedPaths
public import Bolt12
public import OnionMessages

/// Answers invoice requests (BOLT 12) for the offers of an account.
public protocol AnswersInvoiceRequests: Sendable {
    /// A signed BOLT12 invoice, durable before this returns.
    ///
    /// - Parameters:
    ///   - bytes: the request's TLV stream.
    ///   - offer: the offer that the request claims to be for; nil when it is not known.
    ///   - name: the account.
    ///   - arrival: how the request arrived.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, for name: AccountID, arrival: Arrival
    ) async throws(RequestRefusal) -> Invoice
}

/// Answers the onion messages addressed to our own key.
public protocol AnswersOnionMessages: Sendable {
    /// The reply to a message, or why there is none.
    func answer(to message: ReceivedMessage) async -> MessageAnswer
}

/// How an onion message is answered.
public enum MessageAnswer: Hashable, Sendable {
    /// Send this; `refusal` says why it is not an invoice.
    case reply(MessageContent, over: BlindedPath, refusal: RequestRefusal?)
    /// Send nothing.
    case silence(MessageSilence)
}

/// Why an onion message is not answered.
public enum MessageSilence: Error, Hashable, Sendable {
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
    public var reason: String {
        switch self {
        case .notARequest: "it is not an invoice request"
        case .noReplyPath: "it has no reply path"
        case .unknownPath: "it came over an unknown or modified path"
        case .notForUs(let refusal), .notNow(let refusal): refusal.cause ?? refusal.reason
        }
    }
}
