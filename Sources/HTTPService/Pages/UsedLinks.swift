import Contracts
import LightningCoding
import Platform
import RateLimiting

/// Which links have been used: each opens the page once, at one of all instances.
final class UsedLinks: Sendable {
    private let shared: (any SharedRates)?
    private let limiter: Guarded<RateLimiter<String>>?
    /// What was used before is forgotten.
    private let start: UnixTime

    /// Longer than a link is valid.
    private static let interval = Duration.seconds(600)

    /// - Parameter shared: counts over all instances; nil for one alone.
    init(shared: (any SharedRates)?, at start: UnixTime) {
        self.shared = shared
        self.start = start
        limiter = RateLimit(burst: 1, interval: Self.interval).map { Guarded(RateLimiter($0)) }
    }

    /// Uses a link; false when it was used before, or when that is not known any more.
    func use(_ link: PageToken) async throws(LedgerFault) -> Bool {
        if let shared {
            return try await shared.take(Array("link \(link.text)".utf8), every: Self.interval, burst: 1) == nil
        }
        guard let limiter, link.expires >= start.adding(seconds: PageToken.Purpose.link.lifetime) else { return false }
        return limiter.withLock { $0.take(link.text, at: .now) == nil }
    }
}
