public import BlindedPaths
public import Bolt12
public import LNURL
public import OnionMessages

/// Answers invoice requests (BOLT 12) for the offers of an account.
public protocol AnswersInvoiceRequests: Sendable {
    /// A signed BOLT12 invoice, durable before this returns.
    ///
    /// - Parameters:
    ///   - bytes: the request's TLV stream.
    ///   - offer: the offer that the request is said to be for; nil when nobody says so.
    ///   - name: the account.
    ///   - arrival: how the request came.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, for name: AddressName, arrival: Arrival
    ) async throws(RequestRefusal) -> Invoice
}

/// Answers the onion messages that arrive at our own key.
public protocol AnswersOnionMessages: Sendable {
    /// What is to be sent for a message, or why nothing is.
    func answer(to message: ReceivedMessage) async -> MessageAnswer
}

/// What is done about an onion message.
public enum MessageAnswer: Hashable, Sendable {
    /// Send this; `refusal` is why it is no invoice.
    case reply(MessageContent, over: BlindedPath, refusal: RequestRefusal?)
    /// Send nothing.
    case silence(MessageSilence)
}

/// Why an onion message is not answered.
public enum MessageSilence: Error, Hashable, Sendable {
    /// It asks for no invoice.
    case notARequest
    /// It names no way back.
    case noReplyPath
    /// It came over a path that is not ours, or that has been changed.
    case unknownPath
    /// An answer would tell whom an offer belongs to.
    case notForUs(RequestRefusal)
    /// The same may be answered later: payers give up for good on an `invoice_error`.
    case notNow(RequestRefusal)

    /// What the operator reads.
    public var reason: String {
        switch self {
        case .notARequest: "it asks for no invoice"
        case .noReplyPath: "it names no way back"
        case .unknownPath: "it came over a path that is not ours, or that has been changed"
        case .notForUs(let refusal), .notNow(let refusal): refusal.cause ?? refusal.reason
        }
    }
}
