package import LightningCrypto
package import ResponderModel

package struct NotificationResult: Sendable {
    private let found: NotificationAnswer
    private let type: NotificationType
    private let texts: NotificationTexts
    /// For the ledger's event log; the delivery of the reply is added later.
    package var record: EventRecord

    init(_ found: NotificationAnswer, to type: NotificationType, _ texts: NotificationTexts, record: EventRecord) {
        self.found = found
        self.type = type
        self.texts = texts
        self.record = record
    }

    /// The reply to post, or why there is none.
    package var answer: Answer { found.answer }

    /// The internal failure, for the operator's log only; nil when there was none. No secrets.
    package var cause: String? { found.cause }

    /// The text for the user once the reply was accepted, or at once when there is none; nil leaves the shown text as
    /// it is. It tells a failure when the reply is an error or an expected reply is missing.
    package var text: NotificationText? {
        if let text = found.text { return text }
        return switch answer {
        case .reply(let reply): reply.isError ? texts.failure(of: type) : texts.success(of: type)
        case .none(.notAsked): texts.success(of: type)
        case .none(.unknownType): nil
        case .none: texts.failure(of: type)
        }
    }

    /// The text for the user when the reply was not accepted.
    package var failureText: NotificationText? { found.text ?? texts.failure(of: type) }

    /// A reply, or the reason why there is none.
    package enum Answer: Hashable, Sendable {
        case reply(Reply)
        case none(Silence)
    }

    /// The reply, when there is one.
    package var reply: Reply? {
        if case .reply(let reply) = answer { reply } else { nil }
    }
}

/// The answer to a notification, before its delivery.
package struct NotificationAnswer: Sendable {
    /// The reply to post, or why there is none.
    package let answer: NotificationResult.Answer
    package let outcome: EventRecord.Outcome
    /// The payment concerned, if any.
    package var paymentHash: PaymentHash?
    /// The text for the user; nil for the default text of `NotificationTexts` for the type.
    package var text: NotificationText?
    /// The internal failure, for the operator's log only. No secrets.
    package var cause: String?

    package init(
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

    package static func reply(_ reply: Reply, paymentHash: PaymentHash? = nil) -> NotificationAnswer {
        NotificationAnswer(.reply(reply), outcome: reply.isError ? .refused : .answered, paymentHash: paymentHash)
    }

    /// Everything is done, and no reply is expected.
    package static func done(_ paymentHash: PaymentHash? = nil, text: NotificationText? = nil) -> NotificationAnswer {
        NotificationAnswer(.none(.notAsked), outcome: .done, paymentHash: paymentHash, text: text)
    }
}
