import LightningCoding

/// Why the device of an app user gave no answer for its payer.
package enum DeviceRefusal: Error, Hashable, Sendable {
    /// It did not answer in time.
    case silent
    /// What wakes it did not take the question.
    case unreachable
    case unusable
    /// It refuses, with that text for the payer; empty when it gives none.
    case refused(String)
    case busy
    case full
    case stopping
    case left

    /// Seconds after which a retry may help; nil when unknown.
    package var retryAfter: UInt64? {
        switch self {
        case .busy, .stopping: 5
        case .full: 30
        case .silent, .unreachable, .unusable, .refused, .left: nil
        }
    }

    /// The text for the payer: what happened, and what to do.
    package var reason: String {
        switch self {
        case .silent: "The recipient's wallet does not answer; ask the recipient to open it, then try again"
        case .unreachable: "The recipient's wallet cannot be reached; ask the recipient to open it, then try again"
        case .unusable: "The recipient's wallet gave an answer that cannot be used; ask the recipient to update it"
        case .refused(let reason): reason.isEmpty ? "The recipient's wallet refuses this payment" : reason
        case .busy: "The recipient's wallet is busy with other payments; please try again in a few seconds"
        case .full: "Too many payers are waiting here; please try again in half a minute"
        case .stopping: "The service is restarting; please try again in a few seconds"
        case .left: "The connection was closed before the recipient's wallet had answered; please try again"
        }
    }
}
