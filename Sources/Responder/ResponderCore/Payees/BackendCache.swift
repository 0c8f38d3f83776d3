import Platform
import ResponderModel

/// Each backend's last response, shared by all callers and refreshed after a few seconds.
///
/// Uses a monotonic clock: setting a wall clock back would keep old responses for that much longer.
final class BackendCache<Value: Sendable>: Sendable {
    private let lifetime: Duration
    private let clock: MonotonicClock
    private let kept: Guarded<[BackendName: Kept]>
    private let questions = SingleFlight<BackendName, Result<Value, BackendFault>>()

    private struct Kept {
        let value: Value
        let until: MonotonicTime
    }

    /// - Parameter lifetime: how long a response is kept.
    init(lifetime: Duration, clock: MonotonicClock) {
        self.lifetime = lifetime
        self.clock = clock
        kept = Guarded([:])
    }

    /// The cached response of that backend, or a new one.
    func value(
        of name: BackendName,
        _ ask: @escaping @Sendable () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        if let value = cached(name) { return value }
        return try await questions.value(for: name) { [self] in
            // An earlier question may have been answered since this caller found nothing.
            if let value = cached(name) { return .success(value) }
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

    private func cached(_ name: BackendName) -> Value? {
        guard let entry = kept.withLock({ $0[name] }), clock.now() < entry.until else { return nil }
        return entry.value
    }
}
