#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

struct Measurement {
    let name: String
    /// How many times it runs in one round; enough to make the clock's own cost negligible.
    let calls: Int
    let operation: () throws -> Void
}

extension [Measurement] {
    /// Nanoseconds of processor time per call, for each measurement and round.
    ///
    /// The measurements are interleaved, so that a slow moment of the machine affects all alike.
    func timed(rounds: Int) throws -> [(name: String, nanoseconds: [UInt64])] {
        var results = map { (name: $0.name, nanoseconds: [UInt64]()) }
        for measurement in self { try measurement.operation() }
        for _ in 0..<rounds {
            for (index, measurement) in enumerated() {
                results[index].nanoseconds.append(try measurement.nanosecondsOfOneCall())
            }
        }
        return results
    }
}

extension Measurement {
    fileprivate func nanosecondsOfOneCall() throws -> UInt64 {
        // In microseconds, as POSIX has it.
        let start = clock()
        for _ in 0..<calls { try operation() }
        return (Duration.microseconds(clock() - start) / calls).nanoseconds
    }
}

extension Duration {
    var nanoseconds: UInt64 {
        UInt64(self / .nanoseconds(1))
    }
}
