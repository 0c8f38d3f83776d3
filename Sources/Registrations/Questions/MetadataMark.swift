import LightningCrypto

/// Tells in a callback which metadata a payer was shown, so that nothing need be remembered: the first 64 bits of its
/// SHA-256. It stands where callbacks of accounts have a version, and so is never 0.
public struct MetadataMark: Hashable, Sendable {
    /// The number.
    public let number: UInt64

    /// The mark in a callback.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// The mark of a metadata string.
    public init(of metadata: String) {
        self.init(ofHash: SHA256.hash(metadata.utf8))
    }

    /// The mark of the metadata with that SHA-256.
    init(ofHash hash: [UInt8]) {
        number = max(1, hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
