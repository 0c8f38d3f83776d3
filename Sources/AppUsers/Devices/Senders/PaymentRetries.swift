/// When a payer tries a payment again whose recipient is on a phone: a pure machine.
///
/// Attempts start 0, 1, 3 and 7 seconds after the first, each up to half a second later by chance; a hint of the
/// recipient's peer decides instead when there is one. After 15 seconds no attempt starts.
package struct PaymentRetries: Hashable, Sendable {
    package private(set) var attempts = 1

    /// What to do after a failed attempt.
    package enum Step: Hashable, Sendable {
        /// Start the next attempt that long after the first one started.
        case retry(at: Duration)
        case giveUp(Reason)
    }

    package enum Reason: Hashable, Sendable {
        /// The payment can never succeed.
        case final
        case advised(ForwardingHint.Reason)
        case outOfTime
        case exhausted
    }

    /// After that time no attempt starts.
    package static let limit = Duration.seconds(15)
    private static let schedule: [Duration] = [.zero, .seconds(1), .seconds(3), .seconds(7)]
    /// A peer that always says `retry_now` is not asked for ever.
    private static let mostAttempts = 8
    /// The shortest pause after a failure, also when the hint says at once.
    private static let shortestPause = Duration.milliseconds(100)

    package init() {}

    /// Decides after an attempt has failed, and counts the next one.
    ///
    /// - Parameters:
    ///   - failure: why it failed.
    ///   - hint: what the recipient's peer says; nil without an answer.
    ///   - elapsed: how long ago the first attempt was started.
    ///   - chance: a random number, from which the jitter is drawn.
    package mutating func onFailure(
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

/// What a payer's node learns from the failure code of a payment (BOLT 4, "Failure Messages"), as far as it decides
/// whether to try again.
package enum PaymentFailure: Hashable, Sendable {
    /// The recipient's peer could not forward it: a phone that sleeps looks like this, and may be awake in a second.
    case recipientAsleep
    /// A node on the way could not forward it; another way may do.
    case route
    /// The recipient refused it, or the payment can never succeed.
    case final

    /// Classifies a failure code.
    ///
    /// - Parameters:
    ///   - code: the failure code with its flags.
    ///   - origin: which node has sent it.
    package init(code: UInt16, from origin: Origin) {
        switch (origin, code) {
        case (.recipient, Self.temporaryNodeFailure): self = .route
        case (.recipient, _): self = .final
        case (.recipientsPeer, Self.unknownNextPeer), (.recipientsPeer, Self.temporaryChannelFailure),
            (.recipientsPeer, Self.channelDisabled):
            self = .recipientAsleep
        case (.recipientsPeer, _), (.another, _): self = .route
        }
    }

    package enum Origin: Hashable, Sendable {
        /// The last one.
        case recipient
        /// The last but one.
        case recipientsPeer
        case another
    }

    private static let temporaryNodeFailure: UInt16 = 0x2002
    private static let unknownNextPeer: UInt16 = 0x400A
    private static let temporaryChannelFailure: UInt16 = 0x1007
    private static let channelDisabled: UInt16 = 0x1014
}
