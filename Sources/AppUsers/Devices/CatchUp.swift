package import LightningCoding
package import ResponderModel

/// When a device is woken to fetch the messages that it has not seen: a pure machine, one for each device.
///
/// APNs stores one notification for a device that is off, so of many alerts only the newest arrives. The device reports
/// it; since more is pending, a silent push message wakes the device, which fetches the rest. A wake would replace the
/// stored alert, so it waits while one may be stored.
///
/// The state is stored before the wake is sent: a crash between the two loses that wake, and it is repeated later. Only
/// wakes that a provider has accepted can be left unanswered.
package struct CatchUp: Hashable, Sendable {
    package private(set) var state: CatchUpState

    package enum Event: Hashable, Sendable {
        /// A provider has accepted an alert.
        case accepted(CatchUpState.StoredAlert)
        /// The device has shown the alert of that message.
        case delivered(sequence: UInt64)
        /// The device has fetched what is pending.
        case fetched
        case time
        /// A provider has accepted the wake.
        case woken
        /// Too many others are being woken.
        case postponed
    }

    package enum Action: Hashable, Sendable {
        case wake
    }

    /// The shortest time between two wakes of a device, in seconds.
    package static let interval = CatchUpState.interval
    /// How many seconds after a report the device is woken: what was stored arrives first. And how long it waits when there
    /// is no slot for it: others that are due come first then.
    package static let delay: UInt64 = 30
    /// The second wake that the device has left unanswered doubles the interval, and so does each further one, up to 16 hours.
    private static let mostUnanswered: UInt64 = 6

    package init(_ state: CatchUpState = CatchUpState()) {
        self.state = state
        self.state.unanswered = min(state.unanswered, Self.mostUnanswered)
    }

    /// Applies what has happened.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - isPending: whether messages are left that the device has neither shown nor confirmed, the event included.
    ///   - now: the time.
    /// - Returns: what to do now, if anything.
    package mutating func on(_ event: Event, isPending: Bool, at now: UnixTime) -> Action? {
        switch event {
        case .accepted(let alert):
            if alert.sequence >= state.stored?.sequence ?? 0 { state.stored = alert }
            schedule(from: alert.expires)
        case .delivered(let sequence):
            if let stored = state.stored, sequence >= stored.sequence { state.stored = nil }
            state.unanswered = 0
            schedule(from: now.adding(seconds: Self.delay))
        case .fetched:
            state = CatchUpState(lastWake: state.lastWake)
            schedule(from: now.adding(seconds: Self.delay))
        case .time:
            return wake(isPending: isPending, at: now)
        case .woken:
            state.unanswered = min(state.unanswered + 1, Self.mostUnanswered)
            let next = state.lastWake?.adding(seconds: pause) ?? now
            state.wakeDue = state.wakeDue.map { max($0, next) }
        case .postponed:
            state.wakeDue = state.wakeDue.map { max($0, now.adding(seconds: Self.delay)) }
        }
        if !isPending { state.wakeDue = nil }
        return nil
    }

    /// The first due time counts, so that one wake is pending at most.
    private mutating func schedule(from moment: UnixTime) {
        let due = max(moment, state.lastWake?.adding(seconds: pause) ?? moment)
        state.wakeDue = min(state.wakeDue ?? due, due)
    }

    private var pause: UInt64 { Self.interval << (max(state.unanswered, 1) - 1) }

    private mutating func wake(isPending: Bool, at now: UnixTime) -> Action? {
        guard let due = state.wakeDue, now >= due else { return nil }
        guard isPending else {
            state.wakeDue = nil
            return nil
        }
        if let stored = state.stored, now < stored.expires {
            state.wakeDue = stored.expires
            return nil
        }
        state.stored = nil
        state.lastWake = now
        state.wakeDue = now.adding(seconds: pause)
        return .wake
    }
}
