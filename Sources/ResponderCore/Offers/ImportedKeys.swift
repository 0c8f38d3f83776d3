public import Bolt12
public import LightningCrypto
import Platform

/// The issuer keys of offers that were made elsewhere, kept in memory, since every request asks for one.
public final class ImportedKeys: Sendable {
    private let keys: Guarded<[OfferID: SecretKey]>

    /// Starts with these keys.
    public init(_ keys: [OfferID: SecretKey] = [:]) {
        self.keys = Guarded(keys)
    }

    /// The key of an offer, or nil.
    public subscript(id: OfferID) -> SecretKey? {
        keys.withLock { $0[id] }
    }

    /// Takes a key in; it holds from the next request on.
    public func add(_ key: SecretKey, for id: OfferID) {
        keys.withLock { $0[id] = key }
    }
}
