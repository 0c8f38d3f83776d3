import LightningCrypto
import Platform

/// Limits the messages of one kind of work that are on their way to push services that apps and senders have named: those
/// that hang must not hold up all others.
struct WebPushSlots: Sendable {
    private let slots = SharedPlaces(ofAll)

    static let ofHost = 16
    static let ofOwner = 8
    /// How many are on their way to all, of the 64 of a kind that are sent at once.
    static let ofAll = 48
    /// Seconds until an event or message that finds no slot is tried again: a quarter of its age in seconds, so that many for
    /// hosts that hang do not keep the outbox busy.
    static func pause(after age: UInt64) -> UInt64 { max(15, age / 4) }

    /// Does something in a slot; nil when there is none.
    ///
    /// - Parameter owner: of a registered device.
    func with<Result: Sendable>(
        _ host: String, of owner: PublicKey? = nil, _ work: () async -> Result
    ) async -> Result? {
        guard let slot = take(host, of: owner) else { return nil }
        defer { withExtendedLifetime(slot) {} }
        return await work()
    }

    /// Takes a slot, which is free again once nobody refers to it; nil when there is none.
    func take(_ host: String, of owner: PublicKey? = nil) -> SharedPlaces.Place? {
        var shares = [SharedPlaces.Share.most(Self.ofHost, of: "host \(host)")]
        if let owner { shares.append(.most(Self.ofOwner, of: "owner \(owner.hexadecimal)")) }
        return try? slots.take(for: nil, shares)
    }
}
