/// One bucket for each client network, in bounded memory: a /56 may do four times as much as a /64, and a /48 four times as
/// much as that.
package struct NetworkRateLimiter: Sendable {
    private var limiters: [RateLimiter<ClientNetwork>]

    /// Creates a limiter; all buckets are full.
    ///
    /// - Parameters:
    ///   - limit: of an IPv4 address or a /64.
    ///   - capacity: the maximum number of networks of each size.
    package init(_ limit: RateLimit, capacity: Int = 65_536) {
        limiters = [1, 4, 16].map { RateLimiter(limit.multiplied(by: $0), capacity: capacity) }
    }

    /// Takes a token of a network and of each around it.
    ///
    /// - Parameter count: among how many limiters the limit is divided.
    /// - Returns: `nil` when there was one in each; otherwise how long until there is, and nothing is taken.
    package mutating func take(
        _ network: ClientNetwork, at now: MonotonicTime, dividedBy count: Int = 1
    ) -> Duration? {
        let nested = network.nested
        // An IPv4 address, for which one look is enough.
        if nested.count == 1 { return limiters[0].take(network, at: now, dividedBy: count) }
        if let wait = wait(for: network, at: now, dividedBy: count) { return wait }
        for (level, network) in nested.enumerated() {
            _ = limiters[level].take(network, at: now, dividedBy: count)
        }
        return nil
    }

    /// How long until a network has a token; `nil` when it has one. Nothing is taken.
    package func wait(for network: ClientNetwork, at now: MonotonicTime, dividedBy count: Int) -> Duration? {
        zip(limiters, network.nested).compactMap { $0.wait(for: $1, at: now, dividedBy: count) }.max()
    }

    /// Returns a recently taken token of a network.
    package mutating func putBack(_ network: ClientNetwork, dividedBy count: Int = 1) {
        for (level, network) in network.nested.enumerated() { limiters[level].putBack(network, dividedBy: count) }
    }
}
