/// A value that comes once, for one who waits; of several the first counts.
public final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case nothing
        case awaited(CheckedContinuation<Value, Never>)
        case here(Value)
    }

    private let state = Guarded(State.nothing)

    /// Creates a place for a value.
    public init() {}

    /// Gives the value, unless there is one.
    public func give(_ value: Value) {
        let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .here: return nil
            case .nothing:
                state = .here(value)
                return nil
            case .awaited(let waiter):
                state = .here(value)
                return waiter
            }
        }
        waiter?.resume(returning: value)
    }

    /// The value, when it is there. One at a time may wait.
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
