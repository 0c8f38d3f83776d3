import Platform
import Contracts

/// What each backend last said of itself, asked for once in a few seconds, however many want to know.
///
/// By a clock that only goes forward: a wall clock that is set back would keep old answers for so much longer.
final class BackendCache<Value: Sendable>: Sendable {
    private let lifetime: Duration
    private let clock: MonotonicClock
    private let kept: Guarded<[BackendName: Kept]>
    private let questions = SingleFlight<BackendName, Result<Value, BackendFault>>()

    private struct Kept {
        let value: Value
        let until: MonotonicTime
    }

    /// Keeps each answer for so long.
    init(lifetime: Duration, clock: MonotonicClock) {
        self.lifetime = lifetime
        self.clock = clock
        kept = Guarded([:])
    }

    /// What was kept for that backend, or else what it says now.
    func value(
        of name: BackendName,
        _ ask: @escaping @Sendable () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        if let entry = kept.withLock({ $0[name] }), clock.now() < entry.until { return entry.value }
        return try await questions.value(for: name) { [self] in
            do throws(BackendFault) {
                let entry = Kept(value: try await ask(), until: clock.now() + lifetime)
                kept.withLock { $0[name] = entry }
                return .success(entry.value)
            } catch {
                return .failure(error)
            }
        }
        .get()
    }
}
