import LightningCoding
import Locking
import Receiving

/// What each backend last said of itself, asked for once in a few seconds.
final class BackendCache<Value: Sendable>: Sendable {
    private let lifetime: UInt64
    private let clock: WallClock
    private let kept: Guarded<[BackendName: Kept]>

    private struct Kept {
        let value: Value
        let until: UnixTime
    }

    /// Keeps each answer for `lifetime` seconds.
    init(lifetime: UInt64, clock: @escaping WallClock) {
        self.lifetime = lifetime
        self.clock = clock
        kept = Guarded([:])
    }

    /// What was kept for that backend, or else what it says now.
    func value(
        of name: BackendName,
        _ ask: () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        let now = clock()
        if let entry = kept.withLock({ $0[name] }), now < entry.until { return entry.value }
        let entry = Kept(value: try await ask(), until: now.adding(seconds: lifetime))
        kept.withLock { $0[name] = entry }
        return entry.value
    }
}
