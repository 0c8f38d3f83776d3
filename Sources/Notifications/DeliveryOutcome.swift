public import OutboundHTTP

/// What became of a reply.
public enum DeliveryOutcome: Hashable, Sendable {
    /// The receiver answered exactly 200.
    case taken
    /// The receiver answered another status, at the last attempt.
    case refused(status: Int)
    /// The receiver may have taken it: an attempt was sent and its answer never read.
    case uncertain
    /// No attempt reached the receiver; the fault of the last one.
    case unreachable(OutboundFault)
    /// The policy forbids the reply URL; nothing was sent.
    case forbidden(ReplyURLFault)
    /// The time was over, or the task cancelled, before anything was sent.
    case outOfTime
    /// Too many replies are under way already; nothing was sent.
    case overloaded

    /// The statuses with which a receiver says that it may take the same reply later.
    public static let transientStatuses: Set<Int> = [429, 502, 503, 504]
}

/// What became of a reply, and what it took.
public struct DeliveryReport: Hashable, Sendable {
    /// What became of it.
    public let outcome: DeliveryOutcome
    /// How many attempts were made.
    public let attempts: Int
    /// How long it took altogether, in milliseconds.
    public let milliseconds: UInt64

    /// A report.
    public init(outcome: DeliveryOutcome, attempts: Int, milliseconds: UInt64) {
        self.outcome = outcome
        self.attempts = attempts
        self.milliseconds = milliseconds
    }
}
