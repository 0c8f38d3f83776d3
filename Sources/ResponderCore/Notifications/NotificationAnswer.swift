public import LightningCrypto
public import Contracts

/// What is answered to a notification, before anything is known of how it was handed over.
public struct NotificationAnswer: Sendable {
    /// What is to be posted, or why nothing is.
    public let answer: NotificationResult.Answer
    /// What became of the event.
    public let outcome: EventRecord.Outcome
    /// The payment that it concerns, when it does.
    public var paymentHash: PaymentHash?
    /// What a person is shown; nil for what `NotificationTexts` has for the type.
    public var text: NotificationText?
    /// What failed inside, for the operator's log alone. No secrets.
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

    /// A reply that is to be posted.
    public static func reply(_ reply: Reply, paymentHash: PaymentHash? = nil) -> NotificationAnswer {
        NotificationAnswer(.reply(reply), outcome: reply.isError ? .refused : .answered, paymentHash: paymentHash)
    }

    /// Everything is done, and nobody waits for an answer.
    public static func done(_ paymentHash: PaymentHash? = nil, text: NotificationText? = nil) -> NotificationAnswer {
        NotificationAnswer(.none(.notAsked), outcome: .done, paymentHash: paymentHash, text: text)
    }
}
