public import LightningCrypto
public import Contracts

/// The answer to a notification, before its delivery.
public struct NotificationAnswer: Sendable {
    /// The reply to post, or why there is none.
    public let answer: NotificationResult.Answer
    /// The outcome of the event.
    public let outcome: EventRecord.Outcome
    /// The payment concerned, if any.
    public var paymentHash: PaymentHash?
    /// The text for the user; nil for the default text of `NotificationTexts` for the type.
    public var text: NotificationText?
    /// The internal failure, for the operator's log only. No secrets.
    public var cause: String?

    /// Creates an answer.
    public init(
        _ answer: NotificationResult.Answer,
        outcome: EventRecord.Outcome,
        paymentHash: PaymentHash? = nil,
        text: NotificationText? = nil,
        cause: String? = nil
    ) {
        self.answer = answer
        self.outcome = outcome
        self.paymentHash = paymentHash
        self.text = text
        self.cause = cause
    }

    /// A reply to be posted.
    public static func reply(_ reply: Reply, paymentHash: PaymentHash? = nil) -> NotificationAnswer {
        NotificationAnswer(.reply(reply), outcome: reply.isError ? .refused : .answered, paymentHash: paymentHash)
    }

    /// Everything is done, and no reply is expected.
    public static func done(_ paymentHash: PaymentHash? = nil, text: NotificationText? = nil) -> NotificationAnswer {
        NotificationAnswer(.none(.notAsked), outcome: .done, paymentHash: paymentHash, text: text)
    }
}
