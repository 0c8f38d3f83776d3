import Platform

/// Lets those who want the same thing at the same time wait for one of them to get it.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        let number: UInt64
        let task: Task<Value, Never>
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var flights: [Key: Flight] = [:]
    }

    private let state: Guarded<State>

    init() {
        state = Guarded(State())
    }

    /// What `body` returns, which is run once for all who ask while it runs.
    ///
    /// It is not cancelled when one of them is. But when one has waited in vain for so long, nobody new joins: a node that
    /// hangs must not keep the next one from asking again.
    func value(for key: Key, _ body: @escaping @Sendable () async -> Value) async -> Value {
        let flight = state.withLock { state -> Flight in
            if let flight = state.flights[key] { return flight }
            state.lastNumber &+= 1
            let number = state.lastNumber
            let task = Task { [self] in
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
