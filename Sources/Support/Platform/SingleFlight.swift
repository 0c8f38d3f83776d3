/// Lets concurrent callers of the same key share one execution.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        let number: UInt64
        let task: Task<Value, Never>
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var flights: [Key: Flight] = [:]
    }

    private let state: Guarded<State>

    package init() {
        state = Guarded(State())
    }

    /// The result of `body`, which runs once for all callers that arrive while it runs.
    ///
    /// A canceled caller does not cancel it. But from then on nobody new joins, so that a hanging node can be called
    /// again.
    package func value(for key: Key, _ body: @escaping @Sendable () async -> Value) async -> Value {
        let flight = state.withLock { state -> Flight in
            if let flight = state.flights[key] { return flight }
            state.lastNumber &+= 1
            let number = state.lastNumber
            let task = Task.stayingHere { [self] in
                let value = await body()
                forget(number, of: key)
                return value
            }
            let flight = Flight(number: number, task: task)
            state.flights[key] = flight
            return flight
        }
        return await withTaskCancellationHandler {
            await flight.task.value
        } onCancel: {
            forget(flight.number, of: key)
        }
    }

    private func forget(_ number: UInt64, of key: Key) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
        }
    }
}
