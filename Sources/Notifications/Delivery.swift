public import OutboundHTTP

/// The attempts at one reply: a pure machine, told of events and the time, answering with what to do.
///
/// Tried again: what never reached the receiver for lack of a connection, timeouts, and 429, 502, 503, 504; nothing else. A 500
/// is final, since LNURL services say so for *already answered*; behind an attempt whose answer was not read it may mean just
/// that, and the outcome is uncertain.
public struct Delivery: Sendable {
    /// What happens.
    public enum Event: Hashable, Sendable {
        /// The reply is there to be posted.
        case began
        /// The receiver answered an attempt with this status.
        case answered(status: Int)
        /// An attempt ended without an answer.
        case failed(OutboundFault)
        /// The moment of an ``Action/wait(until:)`` has come.
        case woke
        /// Nobody waits for the outcome any more.
        case cancelled
    }

    /// What is to be done.
    public enum Action: Hashable, Sendable {
        /// Post the reply, and give it so much time.
        case post(timeout: Duration)
        /// Tell the machine ``Event/woke`` at this moment.
        case wait(until: ContinuousClock.Instant)
        /// It is over.
        case finish(DeliveryOutcome)
    }

    /// How many attempts were begun.
    public private(set) var attempts = 0

    private let schedule: DeliverySchedule
    private let start: ContinuousClock.Instant
    private let stop: ContinuousClock.Instant
    /// Whether an attempt was sent and its answer never read.
    private var mayHaveBeenTaken = false
    /// What the last attempt ended with.
    private var last = DeliveryOutcome.outOfTime

    /// A reply that is to be posted from now on, and not after its deadline.
    public init(_ schedule: DeliverySchedule, at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant) {
        self.schedule = schedule
        start = now
        stop = min(deadline, now + schedule.hardStop)
    }

    /// Takes an event in and says what to do.
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

    /// The next attempt is due at its moment, or now when the one before took longer than that.
    private func again(at now: ContinuousClock.Instant) -> Action {
        guard attempts < schedule.moments.count else { return .finish(final) }
        let due = max(now, start + schedule.moments[attempts])
        return due < stop ? .wait(until: due) : .finish(final)
    }
}

extension OutboundFault {
    /// Whether there was no connection, or no answer in time.
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
