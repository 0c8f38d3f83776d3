package import LightningCrypto
package import OutboundHTTP
package import Platform

/// Posts replies to their reply URLs.
///
/// Connections are not shared with anything else, redirects are not followed, and nothing is read from the environment.
/// Replies are posted concurrently: a failing one delays no other, and one receiver never takes all slots.
package final class ReplySender: Sendable {
    private let settings: Settings
    private let client: HTTPClient
    private let underway = Guarded(0)

    package struct Settings: Sendable {
        package var policy: ReplyPolicy
        /// The maximum number of pending replies, including those waiting for a retry; more are rejected.
        package var maximumUnderway = 10_000
        package var maximumInFlight = 64
        package var maximumInFlightPerHost = 32
        /// A file of trusted certificates (PEM) instead of the system's.
        package var certificateAuthorities: String?
        /// Addresses for a host and port, used instead of the resolver's; checked in the same way.
        package var pinnedHosts: [PinnedHost] = []
        package var schedule: @Sendable () -> DeliverySchedule

        package init(policy: ReplyPolicy = ReplyPolicy(), random: @escaping RandomSource = SystemRandom.bytes) {
            self.policy = policy
            schedule = { DeliverySchedule(random: random) }
        }
    }

    /// Creates a sender; its client ends with ``close()`` or with the last reference.
    package init(_ settings: Settings = Settings()) throws(OutboundFault) {
        self.settings = settings
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrency = settings.maximumInFlight
        configuration.maximumConcurrencyPerHost = settings.maximumInFlightPerHost
        configuration.maximumWaiting = settings.maximumUnderway
        configuration.proxy = settings.policy.proxy
        configuration.addressPolicy = settings.policy.addressPolicy
        configuration.certificateAuthorities = settings.certificateAuthorities
        configuration.pinnedHosts = settings.pinnedHosts
        client = try HTTPClient(configuration)
    }

    package func close() {
        client.close()
    }

    package func check(_ replyURL: String) throws(ReplyURLFault) {
        _ = try settings.policy.url(replyURL)
    }

    /// Posts a reply until it is accepted or rejected for good, or the deadline passes.
    ///
    /// Ends soon when the task is canceled.
    ///
    /// - Parameters:
    ///   - time: how long somebody waits for it.
    package func deliver(_ reply: Reply, to replyURL: String, within time: Duration) async -> DeliveryReport {
        let start = MonotonicTime.now
        var delivery = Delivery(settings.schedule(), at: start, deadline: start + time)
        let outcome: DeliveryOutcome
        do throws(ReplyURLFault) {
            let url = try settings.policy.url(replyURL)
            var headers = [HTTPField.jsonContent]
            if let value = reply.cacheControl, let field = try? HTTPField("Cache-Control", value) {
                headers.append(field)
            }
            let request = HTTPRequest(.post, url, headers: headers, body: reply.body, wantsBody: false)
            outcome = await carry(request, &delivery)
        } catch {
            outcome = .forbidden(error)
        }
        let milliseconds = (MonotonicTime.now - start) / .milliseconds(1)
        return DeliveryReport(
            outcome: outcome, attempts: delivery.attempts, milliseconds: UInt64(max(0, milliseconds.rounded())))
    }

    private func carry(_ request: HTTPRequest, _ delivery: inout Delivery) async -> DeliveryOutcome {
        let maximum = settings.maximumUnderway
        let hasPlace = underway.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
        guard hasPlace else { return .overloaded }
        defer { underway.withLock { $0 -= 1 } }
        var request = request
        var event = Delivery.Event.began
        while true {
            switch delivery.on(event, at: .now) {
            case .finish(let outcome): return outcome
            case .post(let timeout):
                request.timeout = timeout
                event = await post(request)
            case .wait(let moment):
                let hasSlept: Void? = try? await MonotonicClock.system.sleep(moment)
                event = hasSlept == nil ? .canceled : .woke
            }
        }
    }

    private func post(_ request: HTTPRequest) async -> Delivery.Event {
        do throws(OutboundFault) {
            return .answered(status: try await client.send(request).status)
        } catch {
            return .failed(error)
        }
    }
}

/// The attempts to deliver one reply: a pure state machine, from events and times to actions.
///
/// Retried: failed connections, timeouts, and 429, 502, 503, 504; nothing else. A 500 is final, since LNURL services
/// use it for *already answered*; after an attempt whose response was lost it may mean just that, and the outcome is
/// uncertain.
package struct Delivery: Sendable {
    package enum Event: Hashable, Sendable {
        case began
        case answered(status: Int)
        /// An attempt ended without a response.
        case failed(OutboundFault)
        case woke
        /// Nobody waits for the outcome.
        case canceled
    }

    package enum Action: Hashable, Sendable {
        case post(timeout: Duration)
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

    package init(_ schedule: DeliverySchedule, at now: MonotonicTime, deadline: MonotonicTime) {
        self.schedule = schedule
        start = now
        stop = min(deadline, now + schedule.hardStop)
    }

    package mutating func on(_ event: Event, at now: MonotonicTime) -> Action {
        switch event {
        case .began, .woke: attempt(at: now)
        case .answered(status: 200): .finish(.taken)
        case .answered(let status): answered(status, at: now)
        case .failed(let fault): failed(fault, at: now)
        case .canceled: .finish(final)
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
    fileprivate var isWorthAnotherAttempt: Bool {
        switch self {
        case .resolve, .connect, .handshake, .proxy, .timeout, .connectionLost(requestSent: false), .overloaded: true
        case .refusedAddress, .onionWithoutProxy, .tls, .otherKey, .connectionLost, .malformedResponse,
            .headersTooLarge,
            .bodyTooLarge, .canceled, .closed, .other:
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
}

extension DeliverySchedule {
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
    /// The deadline passed, or the task was canceled, before anything was sent.
    case outOfTime
    case overloaded

    package static let transientStatuses: Set<Int> = [429, 502, 503, 504]

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

package struct DeliveryReport: Hashable, Sendable {
    package let outcome: DeliveryOutcome
    package let attempts: Int
    package let milliseconds: UInt64
}
