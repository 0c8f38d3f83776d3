/// When a payer tries a payment again whose recipient is on a phone: a pure machine.
///
/// Attempts start 0, 1, 3 and 7 seconds after the first, each up to half a second later by chance; a hint of the
/// recipient's peer decides instead when there is one. After 15 seconds no attempt starts.
public struct PaymentRetries: Hashable, Sendable {
    /// How many attempts have been started.
    public private(set) var attempts = 1

    /// What to do after a failed attempt.
    public enum Step: Hashable, Sendable {
        /// Start the next attempt that long after the first one started.
        case retry(at: Duration)
        /// Tell the person why.
        case giveUp(Reason)
    }

    /// Why a payer gives up.
    public enum Reason: Hashable, Sendable {
        /// The payment can never succeed.
        case final
        /// The recipient's peer said so.
        case advised(ForwardingHint.Reason)
        /// The time is over.
        case outOfTime
        /// Enough attempts were made.
        case exhausted
    }

    /// After that time no attempt starts.
    public static let limit = Duration.seconds(15)
    private static let schedule: [Duration] = [.zero, .seconds(1), .seconds(3), .seconds(7)]
    /// A peer that always says `retry_now` is not asked for ever.
    private static let mostAttempts = 8
    /// The shortest pause after a failure, also when the hint says at once.
    private static let shortestPause = Duration.milliseconds(100)

    /// The first attempt has been started.
    public init() {}

    /// Decides after an attempt has failed, and counts the next one.
    ///
    /// - Parameters:
    ///   - failure: why it failed.
    ///   - hint: what the recipient's peer says; nil without an answer.
    ///   - elapsed: how long ago the first attempt was started.
    ///   - chance: a random number, from which the jitter is drawn.
    public mutating func onFailure(
        _ failure: PaymentFailure, hint: ForwardingHint?, after elapsed: Duration, chance: UInt16
    ) -> Step {
        guard failure != .final else { return .giveUp(.final) }
        guard attempts < Self.mostAttempts else { return .giveUp(.exhausted) }
        let moment: Duration
        switch hint?.advice {
        case .doNotRetry: return .giveUp(.advised(hint?.reason ?? .unknown))
        case .retryNow: moment = elapsed
        case .retryLater: moment = elapsed + .milliseconds(hint?.delay ?? 0) + Self.jitter(chance)
        case nil:
            guard attempts < Self.schedule.count else { return .giveUp(.exhausted) }
            moment = Self.schedule[attempts] + Self.jitter(chance)
        }
        let next = max(moment, elapsed + Self.shortestPause)
        guard next < Self.limit else { return .giveUp(.outOfTime) }
        attempts += 1
        return .retry(at: next)
    }

    /// Up to half a second.
    private static func jitter(_ chance: UInt16) -> Duration {
        .microseconds(Int64(chance) * 500_000 / 65_535)
    }
}
