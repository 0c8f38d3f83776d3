/// A value that arrives once, for one waiter; the first of several counts.
public final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case nothing
        case awaited(CheckedContinuation<Value, Never>)
        // Indirect, so that waiting costs no memory for the value.
        indirect case here(Value)
    }

    private let state = Guarded(State.nothing)

    /// Creates an empty one.
    public init() {}

    /// Sets the value, unless there is one.
    ///
    /// - Returns: whether it was the first.
    @discardableResult
    public func give(_ value: Value) -> Bool {
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
    public func value() async -> Value {
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
