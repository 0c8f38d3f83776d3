public import Contracts

/// What came of a notification.
public struct NotificationResult: Sendable {
    /// What is to be posted, or why nothing is.
    public let answer: Answer
    /// What a person is shown once the reply was taken, or at once when there is none; nil leaves what is shown as it is.
    public let text: NotificationText?
    /// What a person is shown when the reply was not taken.
    public let failureText: NotificationText?
    /// For the ledger's event log; whoever posts the reply adds what became of it.
    public var record: EventRecord
    /// What failed inside, for the operator's log alone; nil when nothing did. Holds no secrets.
    public let cause: String?

    /// A reply, or the reason why there is none.
    public enum Answer: Hashable, Sendable {
        /// This is to be posted.
        case reply(Reply)
        /// Nothing is to be posted.
        case none(Silence)
    }

    /// The reply, when there is one.
    public var reply: Reply? {
        if case .reply(let reply) = answer { reply } else { nil }
    }
}
