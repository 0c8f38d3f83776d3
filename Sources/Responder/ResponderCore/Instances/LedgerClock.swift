package import LightningCoding
package import Platform
package import ResponderModel

/// The time of the ledger, which decides what has expired, what is due and what may be deleted: that of its server, or of
/// this machine where the ledger is a file.
///
/// Between two comparisons it goes on with the monotonic clock, so that a jump of this machine's clock changes nothing at
/// once, and is noticed.
package final class LedgerClock: Sendable {
    /// How far clocks may differ before it is told.
    package static let tolerance = Duration.seconds(2)
    /// How far this machine's clock may be off before the instance takes no payers, and the least jump of the ledger's.
    package static let limit = Duration.seconds(30)
    /// How long nothing is deleted by its age after a start: a machine may set its clock after it was switched on.
    package static let settling = Duration.seconds(600)
    /// How long nothing is deleted by its age after a jump, so that somebody can notice that the clock is wrong.
    package static let waiting = Duration.seconds(43_200)
    static let interval = Duration.seconds(3)

    private let ledger: any LeaseLedger
    private let wall: @Sendable () -> Duration
    private let monotonic: MonotonicClock
    private let state = Guarded(State())

    fileprivate struct State {
        var known: (time: Duration, at: MonotonicTime)?
        /// From when on things may be deleted by their age.
        var steadyFrom: MonotonicTime?
        var deviation = Duration.zero
        var report: @Sendable (Event) -> Void = { _ in }
    }

    package enum Event: Hashable, Sendable {
        /// The ledger's time has moved by so much more than the monotonic clock; nothing is deleted by its age for
        /// `waiting`.
        case jumped(by: Duration)
        /// This machine's clock is so far ahead of the ledger's, or behind when negative.
        case deviates(by: Duration)
        case agrees
    }

    /// Creates a clock, which shows this machine's time until it is first compared.
    package init(
        of ledger: any LeaseLedger, wall: @escaping @Sendable () -> Duration = UnixTime.sinceEpoch,
        monotonic: MonotonicClock = .system
    ) {
        self.ledger = ledger
        self.wall = wall
        self.monotonic = monotonic
    }

    /// Receives every event from now on, and that the clock deviates if it does already; must not block.
    package func report(_ report: @escaping @Sendable (Event) -> Void) {
        let deviation = state.withLock { state in
            state.report = report
            return state.deviation
        }
        if Self.size(deviation) >= Self.tolerance { report(.deviates(by: deviation)) }
    }

    package var now: UnixTime {
        let known = state.withLock { $0.known }
        let time = known.map { $0.time + (monotonic.now() - $0.at) } ?? wall()
        return UnixTime(UInt64(clamping: time.components.seconds))
    }

    /// How far this machine's clock was ahead of the ledger's when they were last compared.
    package var deviation: Duration { state.withLock { $0.deviation } }

    /// Whether this machine's clock is too wrong to take payers.
    package var isWrong: Bool { Self.size(deviation) >= Self.limit }

    /// Whether what is old enough may be deleted: the ledger's time has moved with the monotonic clock for a while. False when
    /// the ledger fails.
    package func isSteady() async -> Bool {
        do throws(LedgerFault) {
            try await compare()
        } catch {
            return false
        }
        return state.withLock { state in state.steadyFrom.map { $0 <= monotonic.now() } ?? false }
    }

    /// Compares until canceled. While the ledger fails, the monotonic clock goes on.
    package func run() async {
        repeat { try? await compare() } while (try? await monotonic.sleep(monotonic.now() + Self.interval)) != nil
    }

    /// Compares this machine's clock and the monotonic one with the ledger's.
    package func compare() async throws(LedgerFault) {
        let asked = monotonic.now()
        let told = try await ledger.time()
        let (wall, answered) = (wall(), monotonic.now())
        // The ledger looked at its clock at some moment in between.
        let possible = told.map { $0...($0 + max(answered - asked, .zero)) } ?? wall...wall
        let (events, report) = state.withLock { state in
            (state.note(possible, wall: wall, at: answered), state.report)
        }
        for event in events { report(event) }
    }

    fileprivate static func size(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
}

extension LedgerClock.State {
    fileprivate mutating func note(
        _ possible: ClosedRange<Duration>, wall: Duration, at now: MonotonicTime
    ) -> [LedgerClock.Event] {
        var events: [LedgerClock.Event] = []
        let expected = known.map { $0.time + (now - $0.at) }
        let step = expected.map { Self.distance(of: $0, to: possible) } ?? .zero
        if LedgerClock.size(step) >= LedgerClock.limit {
            events.append(.jumped(by: .zero - step))
            steadyFrom = now + LedgerClock.waiting
        }
        steadyFrom = steadyFrom ?? now + LedgerClock.settling
        let time = min(max(expected ?? possible.upperBound, possible.lowerBound), possible.upperBound)
        known = (time, now)
        let deviated = LedgerClock.size(deviation) >= LedgerClock.tolerance
        let wasWrong = LedgerClock.size(deviation) >= LedgerClock.limit
        deviation = Self.distance(of: wall, to: possible)
        let deviates = LedgerClock.size(deviation) >= LedgerClock.tolerance
        let isWrong = LedgerClock.size(deviation) >= LedgerClock.limit
        if deviates, !deviated || isWrong != wasWrong { events.append(.deviates(by: deviation)) }
        if deviated, !deviates { events.append(.agrees) }
        return events
    }

    /// How far a time is after a span; negative when it is before.
    private static func distance(of time: Duration, to span: ClosedRange<Duration>) -> Duration {
        time - min(max(time, span.lowerBound), span.upperBound)
    }
}
