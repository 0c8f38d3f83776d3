public import OutboundHTTP

/// The attempts to deliver one reply: a pure state machine, from events and times to actions.
///
/// Retried: failed connections, timeouts, and 429, 502, 503, 504; nothing else. A 500 is final, since LNURL services
/// use it for *already answered*; after an attempt whose response was lost it may mean just that, and the outcome is
/// uncertain.
public struct Delivery: Sendable {
    /// An event.
    public enum Event: Hashable, Sendable {
        /// The reply is ready to be posted.
        case began
        /// The receiver answered an attempt with this status.
        case answered(status: Int)
        /// An attempt ended without a response.
        case failed(OutboundFault)
        /// The moment of an ``Action/wait(until:)`` has come.
        case woke
        /// Nobody waits for the outcome any more.
        case cancelled
    }

    /// What to do next.
    public enum Action: Hashable, Sendable {
        /// Post the reply with this timeout.
        case post(timeout: Duration)
        /// Send ``Event/woke`` at this moment.
        case wait(until: ContinuousClock.Instant)
        /// Finished.
        case finish(DeliveryOutcome)
    }

    /// How many attempts were started.
    public private(set) var attempts = 0

    private let schedule: DeliverySchedule
    private let start: ContinuousClock.Instant
    private let stop: ContinuousClock.Instant
    /// Whether an attempt was sent and its response lost.
    private var mayHaveBeenTaken = false
    /// The result of the last attempt.
    private var last = DeliveryOutcome.outOfTime

    /// Creates a delivery that starts now and must end by its deadline.
    public init(_ schedule: DeliverySchedule, at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant) {
        self.schedule = schedule
        start = now
        stop = min(deadline, now + schedule.hardStop)
    }

    /// Processes an event.
    public mutating func on(_ event: Event, at now: ContinuousClock.Instant) -> Action {
        switch event {
        case .began, .woke: attempt(at: now)
        case .answered(status: 200): .finish(.taken)
        case .answered(let status): answered(status, at: now)
        case .failed(let fault): failed(fault, at: now)
        case .cancelled: .finish(final)
        }
    }

    /// The outcome when there is no further attempt.
    private var final: DeliveryOutcome { mayHaveBeenTaken ? .uncertain : last }

    private mutating func attempt(at now: ContinuousClock.Instant) -> Action {
        guard now < stop else { return .finish(final) }
        attempts += 1
        return .post(timeout: min(schedule.attemptTime, now.duration(to: stop)))
    }

    private mutating func answered(_ status: Int, at now: ContinuousClock.Instant) -> Action {
        last = .refused(status: status)
        if DeliveryOutcome.transientStatuses.contains(status) { return again(at: now) }
        return .finish(status == 500 ? final : last)
    }

    private mutating func failed(_ fault: OutboundFault, at now: ContinuousClock.Instant) -> Action {
        if fault == .refusedAddress { return .finish(mayHaveBeenTaken ? .uncertain : .forbidden(.resolvedAddress)) }
        if fault.mayHaveReachedServer { mayHaveBeenTaken = true }
        last = fault == .overloaded ? .overloaded : .unreachable(fault)
        return fault.isWorthAnotherAttempt ? again(at: now) : .finish(final)
    }

    /// The next attempt is due at its scheduled moment, or now if the previous one took longer.
    private func again(at now: ContinuousClock.Instant) -> Action {
        guard attempts < schedule.moments.count else { return .finish(final) }
        let due = max(now, start + schedule.moments[attempts])
        return due < stop ? .wait(until: due) : .finish(final)
    }
}

extension OutboundFault {
    /// Whether there was no connection or no timely response.
    fileprivate var isWorthAnotherAttempt: Bool {
        switch self {
        case .resolve, .connect, .handshake, .proxy, .timeout, .connectionLost(requestSent: false), .overloaded: true
        case .refusedAddress, .onionWithoutProxy, .tls, .otherKey, .connectionLost, .malformedResponse,
            .headersTooLarge,
            .bodyTooLarge, .cancelled, .closed, .other:
            false
        }
    }
}
