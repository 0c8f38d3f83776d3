public import LightningCrypto

/// Tells whether two installations have the same keys, without telling anything about the keys.
public struct KeysFingerprint: Hashable, Sendable {
    /// Its 32 bytes.
    public let bytes: [UInt8]

    /// Reads a stored one; nil when it does not have 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Of keys in this order: each authenticates the code of those before it.
    public init(of keys: [SecretBytes]) {
        bytes = keys.reduce(Array("lightning-responder keys".utf8)) { HMACSHA256.authenticate($0, key: $1) }
    }
}
