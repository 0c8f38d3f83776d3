import Platform

/// Which onion messages are read: so many at once, those that are being answered among them, and of each network that has
/// connected to us its part of them, and so many a minute. Peers that the operator has chosen pass on the messages of many.
struct MessageAdmission: Sendable {
    private let places = SharedSlots(256)
    private let rates: Guarded<NetworkRateLimiter>?

    /// - Parameter requests: of each network; nil for unlimited.
    init(_ requests: RateLimit?) {
        rates = requests.map { Guarded(NetworkRateLimiter($0)) }
    }

    /// A place for a message, until nobody refers to it; nil when there is none.
    func admit(_ network: ClientNetwork?, at now: MonotonicTime) -> SharedSlots.Slot? {
        guard let place = try? places.take(for: network) else { return nil }
        guard let network, let rates else { return place }
        return rates.withLock { $0.take(network, at: now) } == nil ? place : nil
    }
}
