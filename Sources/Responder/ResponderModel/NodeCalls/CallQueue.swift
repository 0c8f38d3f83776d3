import Platform

/// Limits concurrent and queued calls to a node, each with a deadline that starts when it is made.
///
/// Cancelled calls leave the queue, so no work remains when a burst of load ends.
final class CallQueue: Sendable {
    private let deadline: Duration
    private let clock: MonotonicClock?
    private let line: Guarded<Line>

    private struct Line {
        var gate: CallGate
        var lastCaller: CallGate.Caller = 0
        /// The waiting calls, until each learns whether it may run. Whoever removes a call from the gate's queue
        /// removes it here under the same lock and resumes it; otherwise its slot would be lost.
        var turns: [CallGate.Caller: FirstAnswer<Bool>] = [:]
        /// The duration of the last call that the node answered.
        var lastTime = Duration.zero
    }

    /// - Parameter clock: nil for the system's, with one timer for all deadlines.
    init(_ load: BackendLoad, clock: MonotonicClock? = nil) {
        deadline = load.deadline
        self.clock = clock
        line = Guarded(Line(gate: CallGate(calls: load.calls, waiting: load.waiting)))
    }

    /// The result of the call.
    ///
    /// Queued calls that cannot finish before their deadline are dropped: otherwise, under load, the node would work
    /// only for callers that have given up.
    ///
    /// - Parameter late: receives a result that arrives after the deadline, before the call's slot is freed.
    /// - Throws: `overloaded` at once when the queue is full, `timedOut` at the deadline. A running call is then
    ///   cancelled and keeps its slot until it ends.
    func run<Value: Sendable>(
        late: @escaping @Sendable (Value) async -> Void = { _ in },
        _ call: @escaping @Sendable () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        let (caller, turn, decision) = arrive()
        guard decision != .refuse else { throw .overloaded }
        let answer = FirstAnswer<Result<Value, BackendFault>>()
        let end = now + deadline
        let work = Task.startingHere {
            guard await turn.value() else {
                answer.give(.failure(.timedOut))
                return
            }
            defer { self.leave() }
            let start = self.now
            let isInTime = start + self.line.withLock { $0.lastTime } <= end
            // A call that did not wait always runs; otherwise a node that was slow once would never be called again.
            guard !Task.isCancelled, decision == .go || isInTime else {
                answer.give(.failure(.timedOut))
                return
            }
            let result: Result<Value, BackendFault>
            do throws(BackendFault) {
                result = .success(try await call())
                self.line.withLock { $0.lastTime = self.now - start }
            } catch {
                result = .failure(error)
            }
            if !answer.give(result), case .success(let value) = result { await late(value) }
        }
        let giveUp: @Sendable () -> Void = { [self] in
            stepAside(caller)?.give(false)
            work.cancel()
            answer.give(.failure(.timedOut))
        }
        let cancelTimer = atDeadline(giveUp)
        defer { cancelTimer() }
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            giveUp()
        }
        .get()
    }

    private var now: MonotonicTime { (clock ?? .system).now() }

    /// Calls back at the deadline of a call that starts now.
    ///
    /// - Returns: cancels the callback.
    private func atDeadline(_ giveUp: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let clock else {
            let number = DeadlineTimer.shared.schedule(after: deadline, giveUp)
            return { DeadlineTimer.shared.cancel(number) }
        }
        let end = now + deadline
        let timer = Task {
            guard (try? await clock.sleep(end)) != nil else { return }
            giveUp()
        }
        return { timer.cancel() }
    }

    /// The number of calls that run or wait, and of remembered waiters.
    var held: (calls: Int, turns: Int) { line.withLock { ($0.gate.held, $0.turns.count) } }

    private func arrive() -> (CallGate.Caller, FirstAnswer<Bool>, CallGate.Decision) {
        line.withLock { line in
            line.lastCaller &+= 1
            let caller = line.lastCaller
            let turn = FirstAnswer<Bool>()
            let decision = line.gate.arrive(caller)
            switch decision {
            case .go: turn.give(true)
            case .wait: line.turns[caller] = turn
            case .refuse: break
            }
            return (caller, turn, decision)
        }
    }

    private func leave() {
        let next = line.withLock { line in line.gate.leave().flatMap { line.turns.removeValue(forKey: $0) } }
        next?.give(true)
    }

    /// Removes a waiting call and returns whom to notify; nil when it is not waiting.
    private func stepAside(_ caller: CallGate.Caller) -> FirstAnswer<Bool>? {
        line.withLock { line in line.gate.giveUp(caller) ? line.turns.removeValue(forKey: caller) : nil }
    }
}

extension Task where Failure == Never {
    /// A task that runs on its creator's thread until it first suspends, where the system supports that: no other
    /// thread is woken up.
    static func startingHere(_ operation: sending @escaping () async -> Success) -> Task {
        if #available(macOS 26.0, iOS 26.0, *) { immediate(operation: operation) } else { Task(operation: operation) }
    }
}

package struct BackendLoad: Hashable, Sendable {
    package var calls: Int
    /// How many more may wait; further calls are rejected at once.
    package var waiting: Int
    /// The maximum duration of a call, including its waiting time.
    package var deadline: Duration

    /// Creates limits; the defaults suit a small node.
    package init(calls: Int = 8, waiting: Int = 200, deadline: Duration = .seconds(10)) {
        self.calls = calls
        self.waiting = waiting
        self.deadline = deadline
    }
}
