/// A value that arrives once, for one waiter; the first of several counts.
package final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case nothing
        case awaited(CheckedContinuation<Value, Never>)
        // Indirect, so that waiting costs no memory for the value.
        indirect case here(Value)
    }

    private let state = Guarded(State.nothing)

    package init() {}

    /// Sets the value, unless there is one.
    ///
    /// - Returns: whether it was the first.
    @discardableResult
    package func give(_ value: Value) -> Bool {
        let (isFirst, waiter): (Bool, CheckedContinuation<Value, Never>?) = state.withLock { state in
            switch state {
            case .here: return (false, nil)
            case .nothing:
                state = .here(value)
                return (true, nil)
            case .awaited(let waiter):
                state = .here(value)
                return (true, waiter)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// The value, once it is set. Only one task may wait.
    package func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                if case .here(let value) = state { return value }
                state = .awaited(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

extension MonotonicClock {
    /// The result of `work`, or nil at the deadline; work is not begun after it, nor by a task that is canceled.
    ///
    /// Work that waits for something and does not end when canceled is abandoned: the deadline holds for the caller
    /// whatever a node does. Up to its first wait it runs on the caller's thread.
    package func race<Value: Sendable>(
        until deadline: MonotonicTime, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        guard !Task.isCancelled, now() < deadline else { return nil }
        let finish = FirstAnswer<Value?>()
        let runner = Task.startingHere { _ = finish.give(await work()) }
        let cancelTimer = schedule(at: deadline) { finish.give(nil) }
        defer {
            runner.cancel()
            cancelTimer()
        }
        return await withTaskCancellationHandler {
            await finish.value()
        } onCancel: {
            runner.cancel()
            finish.give(nil)
        }
    }
}
