package import Platform

/// A node's last response to one question, shared by all callers and refreshed after a while. Faults are not kept.
///
/// Uses a monotonic clock: setting a wall clock back would keep old responses for that much longer.
package final class CachedAnswer<Value: Sendable>: Sendable {
    private let lifetime: Duration
    private let clock: MonotonicClock
    private let kept = Guarded<(value: Value, until: MonotonicTime)?>(nil)
    private let questions = SingleFlight<Bool, Result<Value, BackendFault>>()

    package init(for lifetime: Duration, clock: MonotonicClock = .system) {
        self.lifetime = lifetime
        self.clock = clock
    }

    package func forget() {
        kept.withLock { $0 = nil }
    }

    package func value(
        asking ask: @escaping @Sendable () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        if let cached { return cached }
        return try await questions.value(for: true) { [self] in
            // An earlier question may have been answered since this caller found nothing.
            if let cached { return .success(cached) }
            do throws(BackendFault) {
                let value = try await ask()
                let until = clock.now() + lifetime
                kept.withLock { $0 = (value, until) }
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        .get()
    }

    private var cached: Value? {
        guard let kept = kept.withLock({ $0 }), clock.now() < kept.until else { return nil }
        return kept.value
    }
}
