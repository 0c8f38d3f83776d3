import Platform
import Contracts

/// How long the parts of one answer take. Those who do them know it by the task in which they run, so that nothing on the way
/// has to carry it.
final class StepLog: Sendable {
    /// The log of the answer that this task works on; nil when nobody wants to know.
    @TaskLocal static var current: StepLog?

    private let clock: MonotonicClock
    private let taken = Guarded<[EventRecord.Step]>([])

    init(clock: MonotonicClock) {
        self.clock = clock
    }

    /// What has been measured so far.
    var steps: [EventRecord.Step] { taken.withLock { $0 } }

    /// Runs a body and notes how long it took, also when it throws.
    static func measure<Value, Fault>(
        _ name: String, _ body: () async throws(Fault) -> Value
    ) async throws(Fault) -> Value {
        guard let log = current else { return try await body() }
        let begin = log.clock.now()
        defer {
            let step = EventRecord.Step(name, milliseconds: (log.clock.now() - begin).wholeMilliseconds)
            log.taken.withLock { $0.append(step) }
        }
        return try await body()
    }
}
