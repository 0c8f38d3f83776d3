package import OutboundHTTP

package enum DeliveryOutcome: Hashable, Sendable {
    /// The receiver answered exactly 200.
    case taken
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

    package static let transientStatuses: Set<Int> = [429, 502, 503, 504]
}

/// The outcome of a delivery, with its attempts and duration.
package struct DeliveryReport: Hashable, Sendable {
    package let outcome: DeliveryOutcome
    package let attempts: Int
    /// The total duration, in milliseconds.
    package let milliseconds: UInt64

    package init(outcome: DeliveryOutcome, attempts: Int, milliseconds: UInt64) {
        self.outcome = outcome
        self.attempts = attempts
        self.milliseconds = milliseconds
    }
}

extension DeliveryOutcome {
    /// The outcome, as text for people.
    package var reason: String {
        switch self {
        case .taken: "taken"
        case .refused(let status): "refused with status \(status)"
        case .uncertain: "uncertain"
        case .unreachable(let fault): "not delivered: \(fault.reason)"
        case .forbidden: "posting there is not allowed"
        case .outOfTime: "out of time"
        case .overloaded: "too many at once"
        }
    }
}
