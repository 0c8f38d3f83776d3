public import Contracts

/// The result of handling a notification.
public struct NotificationResult: Sendable {
    /// The reply to post, or why there is none.
    public let answer: Answer
    /// The text for the user once the reply was accepted, or at once when there is none; nil leaves the shown text as
    /// it is.
    public let text: NotificationText?
    /// The text for the user when the reply was not accepted.
    public let failureText: NotificationText?
    /// For the ledger's event log; the delivery of the reply is added later.
    public var record: EventRecord
    /// The internal failure, for the operator's log only; nil when there was none. No secrets.
    public let cause: String?

    /// A reply, or the reason why there is none.
    public enum Answer: Hashable, Sendable {
        /// Post this.
        case reply(Reply)
        /// Post nothing.
        case none(Silence)
    }

    /// The reply, when there is one.
    public var reply: Reply? {
        if case .reply(let reply) = answer { reply } else { nil }
    }
}
