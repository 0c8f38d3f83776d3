public import Bolt12
public import LightningCrypto
import Platform

/// The issuer keys of imported offers, kept in memory, since every request needs one.
public final class ImportedKeys: Sendable {
    private let keys: Guarded<[OfferID: SecretKey]>

    /// Creates a set of keys.
    public init(_ keys: [OfferID: SecretKey] = [:]) {
        self.keys = Guarded(keys)
    }

    /// The key of an offer, or nil.
    public subscript(id: OfferID) -> SecretKey? {
        keys.withLock { $0[id] }
    }

    /// Adds a key, effective from the next request on.
    public func add(_ key: SecretKey, for id: OfferID) {
        keys.withLock { $0[id] = key }
    }
}
