package import Platform
package import LightningCrypto
package import OutboundHTTP

/// The attempts to deliver one reply: a pure state machine, from events and times to actions.
///
/// Retried: failed connections, timeouts, and 429, 502, 503, 504; nothing else. A 500 is final, since LNURL services
/// use it for *already answered*; after an attempt whose response was lost it may mean just that, and the outcome is
/// uncertain.
package struct Delivery: Sendable {
    package enum Event: Hashable, Sendable {
        case began
        /// The receiver answered an attempt with this status.
        case answered(status: Int)
        /// An attempt ended without a response.
        case failed(OutboundFault)
        /// The moment of an ``Action/wait(until:)`` has come.
        case woke
        /// Nobody waits for the outcome.
        case cancelled
    }

    package enum Action: Hashable, Sendable {
        case post(timeout: Duration)
        /// Send ``Event/woke`` at this moment.
        case wait(until: MonotonicTime)
        case finish(DeliveryOutcome)
    }

    package private(set) var attempts = 0

    private let schedule: DeliverySchedule
    private let start: MonotonicTime
    private let stop: MonotonicTime
    /// Whether an attempt was sent and its response lost.
    private var mayHaveBeenTaken = false
    private var last = DeliveryOutcome.outOfTime

    /// Creates a delivery that starts now and must end by its deadline.
    package init(_ schedule: DeliverySchedule, at now: MonotonicTime, deadline: MonotonicTime) {
        self.schedule = schedule
        start = now
        stop = min(deadline, now + schedule.hardStop)
    }

    /// Processes an event.
    package mutating func on(_ event: Event, at now: MonotonicTime) -> Action {
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

    private mutating func attempt(at now: MonotonicTime) -> Action {
        guard now < stop else { return .finish(final) }
        attempts += 1
        return .post(timeout: min(schedule.attemptTime, stop - now))
    }

    private mutating func answered(_ status: Int, at now: MonotonicTime) -> Action {
        last = .refused(status: status)
        if DeliveryOutcome.transientStatuses.contains(status) { return again(at: now) }
        return .finish(status == 500 ? final : last)
    }

    private mutating func failed(_ fault: OutboundFault, at now: MonotonicTime) -> Action {
        if fault == .refusedAddress { return .finish(mayHaveBeenTaken ? .uncertain : .forbidden(.resolvedAddress)) }
        if fault.mayHaveReachedServer { mayHaveBeenTaken = true }
        last = fault == .overloaded ? .overloaded : .unreachable(fault)
        return fault.isWorthAnotherAttempt ? again(at: now) : .finish(final)
    }

    /// The next attempt is due at its scheduled moment, or now if the previous one took longer.
    private func again(at now: MonotonicTime) -> Action {
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

/// When a reply is posted: at once, then 1 s, 3 s and 7 s after the start, each with random jitter, so that replies
/// that failed together are not retried together. Nothing is in flight after 12 s.
package struct DeliverySchedule: Hashable, Sendable {
    /// When each attempt is due, from the start; the first is due at once.
    package let moments: [Duration]
    /// When the last attempt must have ended, from the start.
    package let hardStop: Duration
    package let attemptTime: Duration

    package init(moments: [Duration], hardStop: Duration, attemptTime: Duration) {
        self.moments = moments
        self.hardStop = hardStop
        self.attemptTime = attemptTime
    }

    /// The default schedule, with jitter of up to a quarter of each pause.
    ///
    /// Without random numbers there is no jitter: the reply matters more.
    package init(random: RandomSource) {
        let drawn = (try? random(2 * Self.usual.count)) ?? []
        var moments: [Duration] = [.zero]
        var previous = Duration.zero
        for (index, moment) in Self.usual.enumerated() {
            let bytes = drawn.dropFirst(2 * index).prefix(2)
            let fraction = bytes.count == 2 ? bytes.reduce(0) { $0 << 8 | Int($1) } : 0
            moments.append(moment + (moment - previous) * fraction / (4 << 16))
            previous = moment
        }
        self.init(moments: moments, hardStop: .seconds(12), attemptTime: .seconds(5))
    }

    private static let usual: [Duration] = [.seconds(1), .seconds(3), .seconds(7)]
}
