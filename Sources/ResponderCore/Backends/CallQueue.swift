import Platform
import Contracts

/// The calls to a node, so many at once, so many more in a line, and none longer than a deadline that begins when it is made.
///
/// Whoever gives up leaves the line: when a load ends, nothing of it is left to be done.
final class CallQueue: Sendable {
    private let deadline: Duration
    private let now: @Sendable () -> MonotonicTime
    private let pause: (@Sendable (Duration) async throws -> Void)?
    private let line: Guarded<Line>

    private struct Line {
        var gate: CallGate
        var lastCaller: CallGate.Caller = 0
        /// Those who wait, until they are told whether they may go. Whoever takes a caller out of the gate's line takes it out
        /// here too, in one breath, and tells it: a place that was handed to nobody would be lost.
        var turns: [CallGate.Caller: FirstAnswer<Bool>] = [:]
        /// How long the node took for the last call that it answered.
        var lastTime = Duration.zero
    }

    /// - Parameter pause: waits for a deadline; nil for the system's clock.
    init(
        _ load: BackendLoad,
        now: @escaping @Sendable () -> MonotonicTime = MonotonicClock.system.now,
        pause: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        deadline = load.deadline
        self.now = now
        self.pause = pause
        line = Guarded(Line(gate: CallGate(places: load.calls, waitingPlaces: load.waiting)))
    }

    /// What the call answers.
    ///
    /// Whoever could not be answered in time any more when its turn comes never reaches the node: else, at the deadline of a crowd,
    /// one after the other would have the node work for nobody.
    ///
    /// - Parameter late: is given what the call has brought after its deadline, before it leaves its place.
    /// - Throws: `overloaded` at once when the line is full, `timedOut` at the deadline. A call that is under way then is
    ///   cancelled, and keeps its place until it is over.
    func run<Value: Sendable>(
        late: @escaping @Sendable (Value) async -> Void = { _ in },
        _ call: @escaping @Sendable () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        let (caller, turn, decision) = arrive()
        guard decision != .refuse else { throw .overloaded }
        let answer = FirstAnswer<Result<Value, BackendFault>>()
        let end = now() + deadline
        let work = Task.startingHere {
            guard await turn.value() else {
                answer.give(.failure(.timedOut))
                return
            }
            defer { self.leave() }
            let start = self.now()
            let isInTime = start + self.line.withLock { $0.lastTime } <= end
            // Whoever did not wait goes in any case, or a node that was slow once would never be asked again.
            guard !Task.isCancelled, decision == .go || isInTime else {
                answer.give(.failure(.timedOut))
                return
            }
            let result: Result<Value, BackendFault>
            do throws(BackendFault) {
                result = .success(try await call())
                self.line.withLock { $0.lastTime = self.now() - start }
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

    /// Calls back at the deadline of a call that begins now.
    ///
    /// - Returns: what cancels that.
    private func atDeadline(_ giveUp: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let pause else {
            let number = DeadlineTimer.shared.schedule(after: deadline, giveUp)
            return { DeadlineTimer.shared.cancel(number) }
        }
        let timer = Task { [deadline] in
            guard (try? await pause(deadline)) != nil else { return }
            giveUp()
        }
        return { timer.cancel() }
    }

    /// How many hold a place or wait for one, and what is remembered of those who wait.
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

    /// One who waits waits no longer: who is to be told so; nil when it does not wait.
    private func stepAside(_ caller: CallGate.Caller) -> FirstAnswer<Bool>? {
        line.withLock { line in line.gate.giveUp(caller) ? line.turns.removeValue(forKey: caller) : nil }
    }
}

extension Task where Failure == Never {
    /// A task that runs on its creator's thread until it waits for the first time, where the system can do that: nothing need be
    /// woken up for it.
    static func startingHere(_ operation: sending @escaping () async -> Success) -> Task {
        if #available(macOS 26.0, iOS 26.0, *) { immediate(operation: operation) } else { Task(operation: operation) }
    }
}
