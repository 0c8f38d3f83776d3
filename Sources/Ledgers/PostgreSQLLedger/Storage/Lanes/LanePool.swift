import Platform
import ResponderModel

/// The lanes of a database. They are connected when they are first needed, and anew when they were lost.
final class LanePool: Sendable {
    private struct Waiter {
        /// Called once, without the lock; nil when no lane came in time.
        let start: @Sendable (Lane?) -> Void
        let cancelTimer: @Sendable () -> Void
    }

    private struct State {
        var idle: [Lane] = []
        /// Lanes that are idle, in use, or being connected.
        var size = 0
        var connecting = 0
        var lastWaiter: UInt64 = 0
        var waiters: [(number: UInt64, waiter: Waiter)] = []
        var delay = ReconnectDelay()
        /// Why the last attempt to connect failed; nil after one that did not.
        var failure: LedgerFault?
        var isDelayed = false
        var isClosed = false
    }

    private let state = Guarded(State())
    private let most: Int
    private let jitter: @Sendable () -> Double
    private let connect: @Sendable () async throws(LedgerFault) -> Lane

    /// - Parameters:
    ///   - most: how many lanes there may be.
    ///   - jitter: random numbers between 0 and 1.
    init(
        most: Int, jitter: @escaping @Sendable () -> Double,
        connect: @escaping @Sendable () async throws(LedgerFault) -> Lane
    ) {
        self.most = most
        self.jitter = jitter
        self.connect = connect
    }

    /// A lane for one caller alone, who gives it back.
    ///
    /// - Throws: why none can be connected, or `noConnection`, when the time is over.
    func lane(within time: Duration) async throws(LedgerFault) -> Lane {
        let answer = FirstAnswer<Lane?>()
        take(within: time) { answer.give($0) }
        if let lane = await answer.value() { return lane }
        throw fault(within: time)
    }

    /// Does work on the thread of a lane, which then begins the next that waits: this caller may be too busy to give it back.
    ///
    /// - Throws: as `lane(within:)`; then the work is not done.
    func perform<Value: Sendable>(
        within time: Duration, _ body: @escaping Lane.Work<Value>
    ) async throws(LedgerFault) -> Result<Value, BatchFault> {
        let answer = FirstAnswer<Result<Value, BatchFault>?>()
        take(within: time) { [self] lane in
            guard let lane else {
                answer.give(nil)
                return
            }
            lane.perform(body) { [self] result in
                takeBack(lane, isLost: result.losesConnection)
                answer.give(result)
            }
        }
        if let result = await answer.value() { return result }
        throw fault(within: time)
    }

    /// Calls back with a lane as soon as one is free, or with nil when the time is over.
    private func take(within time: Duration, _ start: @escaping @Sendable (Lane?) -> Void) {
        let (isWaiting, idle): (Bool, Lane?) = state.withLock { state in
            if state.isClosed { return (false, nil) }
            if let lane = state.idle.popLast() { return (false, lane) }
            state.lastWaiter += 1
            let number = state.lastWaiter
            let cancel = MonotonicClock.system.schedule(at: .now + time) { [weak self] in self?.giveUp(number) }
            state.waiters.append((number, Waiter(start: start, cancelTimer: cancel)))
            return (true, nil)
        }
        if isWaiting { grow() } else { start(idle) }
    }

    private func fault(within time: Duration) -> LedgerFault {
        state.withLock { $0.isClosed ? .closed : $0.failure ?? .noConnection(within: time) }
    }

    /// Takes a lane back; one that is lost is replaced when it is needed.
    func takeBack(_ lane: Lane, isLost: Bool) {
        if isLost {
            state.withLock { $0.size -= 1 }
            grow()
        } else {
            hand(lane)
        }
    }

    /// Gives out no more lanes. Those in use are closed when they come back.
    func close() {
        // The idle ones are closed when they are released, which must not be under the lock.
        let (waiters, idle) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiters, state.idle) = ([], []) }
            return (state.waiters.map(\.waiter), state.idle)
        }
        withExtendedLifetime(idle) {
            for waiter in waiters { end(waiter, with: nil) }
        }
    }

    private func hand(_ lane: Lane) {
        let waiter: Waiter? = state.withLock { state in
            guard !state.isClosed else { return nil }
            guard !state.waiters.isEmpty else {
                state.idle.append(lane)
                return nil
            }
            return state.waiters.removeFirst().waiter
        }
        if let waiter { end(waiter, with: lane) }
    }

    private func end(_ waiter: Waiter, with lane: Lane?) {
        waiter.cancelTimer()
        waiter.start(lane)
    }

    private func giveUp(_ number: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0).waiter }
        }
        waiter?.start(nil)
    }

    /// Connects one more lane for each who waits; a single one while that fails.
    private func grow() {
        let isWanted = state.withLock { state in
            let limit = state.failure == nil ? state.waiters.count : min(state.waiters.count, 1)
            guard !state.isClosed, !state.isDelayed, state.connecting < limit, state.size < most else { return false }
            state.connecting += 1
            state.size += 1
            return true
        }
        guard isWanted else { return }
        Task {
            do throws(LedgerFault) {
                let lane = try await connect()
                state.withLock { state in
                    state.connecting -= 1
                    state.failure = nil
                    state.delay.reset()
                }
                hand(lane)
                grow()
            } catch {
                failed(error)
            }
        }
    }

    private func failed(_ fault: LedgerFault) {
        let delay = state.withLock { state in
            state.connecting -= 1
            state.size -= 1
            state.failure = fault
            state.isDelayed = true
            return state.delay.next(jitter: jitter())
        }
        _ = MonotonicClock.system.schedule(at: .now + delay) { [weak self] in
            self?.state.withLock { $0.isDelayed = false }
            self?.grow()
        }
    }
}

/// How long to wait before the next attempt to connect: a tenth of a second after the first failure, twice as long after
/// each further one, at most a second; and a random half of that less, so that many clients do not come at once.
struct ReconnectDelay {
    private var failures = 0

    /// - Parameter jitter: 0 to 1.
    mutating func next(jitter: Double) -> Duration {
        let longest = Duration.milliseconds(min(100 << min(failures, 4), 1000))
        failures += 1
        return longest * (1 - jitter / 2)
    }

    mutating func reset() {
        failures = 0
    }
}
