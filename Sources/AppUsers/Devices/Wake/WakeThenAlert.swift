package import LightningCoding

/// A wake of one device, and the alert that follows unless the device has handled it in time: a pure machine.
///
/// The state is stored before its actions are carried out, so that after a crash `resumed` continues: a push message may
/// go twice, and the device ignores the id that it knows.
package struct WakeThenAlert: Hashable, Sendable {
    /// When nothing can come of it any more.
    package let deadline: UnixTime
    /// How far it is.
    package private(set) var state: State

    /// How far it is.
    package enum State: Hashable, Sendable {
        /// The wake is being sent, or was; the alert follows at that moment.
        case waking(alertAt: UnixTime)
        /// The alert is being sent.
        case alerting
        /// Nothing more is sent.
        case finished(Outcome)
    }

    /// What came of it.
    package enum Outcome: Hashable, Sendable {
        /// The device has handled the wake.
        case handled
        /// A provider has accepted the alert.
        case alerted
        /// The deadline came first.
        case expired
        /// No provider has accepted anything.
        case unreachable
    }

    /// What has happened.
    package enum Event: Hashable, Sendable {
        /// The service has started again.
        case resumed
        /// A provider did not accept a push message and never will.
        case refused(Push)
        /// A provider has accepted a push message. That says nothing of its delivery.
        case accepted(Push)
        /// The device has said what came of the wake.
        case acknowledged(WakeAcknowledgement.Outcome)
        /// Time has passed.
        case time
    }

    /// The two push messages.
    package enum Push: Hashable, Sendable {
        /// The first, silent.
        case wake
        /// The second, visible.
        case alert
    }

    /// How many seconds a device has to handle a wake.
    package static let patience: UInt64 = 8

    /// Starts with the wake, which is to be sent now.
    ///
    /// - Parameter margin: how many seconds before the deadline the alert goes at the latest, so that the person can
    ///   still act.
    package init(deadline: UnixTime, at now: UnixTime, margin: UInt64 = 20) {
        self.deadline = deadline
        let latest = now.adding(seconds: deadline.seconds(since: now.adding(seconds: margin)))
        state = .waking(alertAt: min(now.adding(seconds: Self.patience), latest))
    }

    package init(deadline: UnixTime, state: State) {
        self.deadline = deadline
        self.state = state
    }

    /// When `time` is next needed; nil for never.
    package var due: UnixTime? {
        switch state {
        case .waking(let alertAt): min(alertAt, deadline)
        case .alerting: deadline
        case .finished: nil
        }
    }

    /// Applies what has happened; returns the push message to send now, if any.
    package mutating func on(_ event: Event, at now: UnixTime) -> Push? {
        switch (state, event) {
        case (.finished(.handled), _), (.finished(.expired), _): nil
        case (_, .acknowledged(.handled)): end(.handled)
        case (.finished, _): nil
        case _ where now >= deadline: end(.expired)
        case (.waking, .acknowledged), (.waking, .refused(.wake)): alert()
        case (.waking(let alertAt), .resumed): now < alertAt ? .wake : alert()
        case (.waking(let alertAt), .time): now < alertAt ? nil : alert()
        case (.alerting, .resumed): .alert
        case (.alerting, .accepted(.alert)): end(.alerted)
        case (.alerting, .refused(.alert)): end(.unreachable)
        case (.waking, .accepted), (.waking, .refused(.alert)): nil
        case (.alerting, .accepted(.wake)), (.alerting, .refused(.wake)), (.alerting, .acknowledged),
            (.alerting, .time):
            nil
        }
    }

    private mutating func alert() -> Push {
        state = .alerting
        return .alert
    }

    private mutating func end(_ outcome: Outcome) -> Push? {
        state = .finished(outcome)
        return nil
    }
}
