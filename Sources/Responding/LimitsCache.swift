import LightningCoding
import Locking
import Receiving

/// The limits of each backend, asked for once in a few seconds.
final class LimitsCache: Sendable {
    private let lifetime: UInt64
    private let clock: WallClock
    private let kept: Guarded<[BackendName: Kept]>

    private struct Kept {
        let limits: ReceiveLimits
        let until: UnixTime
    }

    init(lifetime: UInt64, clock: @escaping WallClock) {
        self.lifetime = lifetime
        self.clock = clock
        kept = Guarded([:])
    }

    /// What the backend can receive now, rounded inwards to what it can invoice.
    func limits(of name: BackendName, _ backend: any ReceiveBackend) async throws(BackendFault) -> ReceiveLimits {
        let now = clock()
        if let entry = kept.withLock({ $0[name] }), now < entry.until { return entry.limits }
        var limits = try await backend.limits()
        if backend.capabilities.precision == .wholeSatoshi {
            guard let whole = limits.wholeSatoshis() else { throw .nothingReceivable }
            limits = whole
        }
        let entry = Kept(limits: limits, until: now.adding(seconds: lifetime))
        kept.withLock { $0[name] = entry }
        return limits
    }
}
