import Locking

/// Lets those who want the same thing at the same time wait for one of them to get it.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let flights: Guarded<[Key: Task<Value, Never>]>

    init() {
        flights = Guarded([:])
    }

    /// What `body` returns, which is run once for all who ask while it runs. It is not cancelled when one of them is.
    func value(for key: Key, _ body: @escaping @Sendable () async -> Value) async -> Value {
        let flight = flights.withLock { flights in
            if let flight = flights[key] { return flight }
            let flight = Task { [self] in
                let value = await body()
                self.flights.withLock { $0[key] = nil }
                return value
            }
            flights[key] = flight
            return flight
        }
        return await flight.value
    }
}
