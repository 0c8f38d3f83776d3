import Locking

extension MonotonicClock {
    /// What `work` gives, or nil at the deadline.
    ///
    /// Work that does not end when it is cancelled is left behind: the deadline holds for whoever waits, whatever a node does.
    func race<Value: Sendable>(
        until deadline: MonotonicTime, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let finish = FinishLine<Value>()
        let runner = Task { finish.cross(with: await work()) }
        let timer = Task {
            // Cancelled only once there is a winner, or with the whole race.
            try? await sleep(deadline)
            finish.cross(with: nil)
        }
        let winner = await withTaskCancellationHandler {
            await finish.winner()
        } onCancel: {
            runner.cancel()
            timer.cancel()
        }
        runner.cancel()
        timer.cancel()
        return winner
    }
}

/// The first who crosses it wins.
private final class FinishLine<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case crossed(Value?)
    }

    private let state = Guarded(State.open)

    func cross(with value: Value?) {
        let waiting: CheckedContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .crossed(value)
                return nil
            case .awaited(let continuation):
                state = .crossed(value)
                return continuation
            case .crossed: return nil
            }
        }
        waiting?.resume(returning: value)
    }

    func winner() async -> Value? {
        await withCheckedContinuation { continuation in
            let winner: Value?? = state.withLock { state in
                if case .crossed(let value) = state { return .some(value) }
                state = .awaited(continuation)
                return .none
            }
            if let winner { continuation.resume(returning: winner) }
        }
    }
}
