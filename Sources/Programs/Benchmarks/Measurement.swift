import Platform

struct Measurement {
    let name: String
    /// How many times it runs in one round; enough to make the clock's own cost negligible.
    let calls: Int
    let operation: () async throws -> Void
}

extension [Measurement] {
    /// Nanoseconds per call, for each measurement and round.
    ///
    /// The measurements are interleaved, so that a slow moment of the machine affects all alike.
    func timed(rounds: Int) async throws -> [(name: String, nanoseconds: [UInt64])] {
        var results = map { (name: $0.name, nanoseconds: [UInt64]()) }
        for measurement in self { try await measurement.operation() }
        for _ in 0..<rounds {
            for (index, measurement) in enumerated() {
                results[index].nanoseconds.append(try await measurement.nanosecondsOfOneCall())
            }
        }
        return results
    }
}

extension Measurement {
    fileprivate func nanosecondsOfOneCall() async throws -> UInt64 {
        let start = MonotonicTime.now
        for _ in 0..<calls { try await operation() }
        return ((MonotonicTime.now - start) / calls).nanoseconds
    }
}

extension Duration {
    var nanoseconds: UInt64 {
        UInt64(self / .nanoseconds(1))
    }
}
