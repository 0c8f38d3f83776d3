public import OutboundHTTP

/// The outcome of a delivery.
public enum DeliveryOutcome: Hashable, Sendable {
    /// The receiver answered exactly 200.
    case taken
    /// The receiver answered the last attempt with another status.
    case refused(status: Int)
    /// The receiver may have accepted it: an attempt was sent and its response lost.
    case uncertain
    /// No attempt reached the receiver; the last one failed with this fault.
    case unreachable(OutboundFault)
    /// The policy does not allow the reply URL; nothing was sent.
    case forbidden(ReplyURLFault)
    /// The deadline passed, or the task was cancelled, before anything was sent.
    case outOfTime
    /// Too many replies are pending; nothing was sent.
    case overloaded

    /// The statuses that allow a retry.
    public static let transientStatuses: Set<Int> = [429, 502, 503, 504]
}

/// The outcome of a delivery, with its attempts and duration.
public struct DeliveryReport: Hashable, Sendable {
    /// The outcome.
    public let outcome: DeliveryOutcome
    /// How many attempts were made.
    public let attempts: Int
    /// The total duration, in milliseconds.
    public let milliseconds: UInt64

    /// Creates a report.
    public init(outcome: DeliveryOutcome, attempts: Int, milliseconds: UInt64) {
        self.outcome = outcome
        self.attempts = attempts
        self.milliseconds = milliseconds
    }
}
