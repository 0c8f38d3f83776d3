package import Platform
package import ResponderModel

/// Whether the ledger accepts writes, tested with a small durable one: reads succeed even on a full disk, or while
/// another process holds the lock. Requests without a token reach it, so it writes at most once a second, however many
/// ask.
package actor LedgerProbe {
    package enum State: Hashable, Sendable {
        case works
        case fails(LedgerFault)
        /// A write has not finished within `timeout`.
        case hangs
    }

    package static let timeout = Duration.seconds(2)
    package static let validity = Duration.seconds(1)

    private let write: @Sendable () async throws(LedgerFault) -> Void
    private let clock: MonotonicClock
    private var last: (state: State, until: MonotonicTime)?
    private var running: (task: Task<State, Never>, deadline: MonotonicTime)?

    package init(clock: MonotonicClock = .system, write: @escaping @Sendable () async throws(LedgerFault) -> Void) {
        self.write = write
        self.clock = clock
    }

    /// The state, after `timeout` at the latest.
    package func state() async -> State {
        let now = clock.now()
        if let last, now < last.until { return last.state }
        // Nobody else waits for a write that has had its time: each of them would be a task that stays.
        if let running, running.deadline <= now { return .hangs }
        let (task, deadline) = running ?? begin(at: now)
        let answer = FirstAnswer<State>()
        let timer = Task { [clock] in
            try? await clock.sleep(deadline)
            answer.give(.hangs)
        }
        Task { answer.give(await task.value) }
        defer { timer.cancel() }
        return await answer.value()
    }

    private func begin(at now: MonotonicTime) -> (task: Task<State, Never>, deadline: MonotonicTime) {
        let begun = (task: Task { await probe() }, deadline: now + Self.timeout)
        running = begun
        return begun
    }

    private func probe() async -> State {
        let state: State
        do throws(LedgerFault) {
            try await write()
            state = .works
        } catch {
            state = .fails(error)
        }
        last = (state, clock.now() + Self.validity)
        running = nil
        return state
    }
}

extension LedgerProbe.State {
    package var words: String {
        switch self {
        case .works: "ok"
        case .fails(let fault): fault.reason
        case .hangs: "a write has been waiting for seconds"
        }
    }
}
