import LightningCoding
import LightningCrypto

/// The id of an offer: the SHA-256 of its records, as in Core Lightning. Not specified; other implementations use other
/// ids.
public struct OfferID: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// The id of an offer.
    public init(of offer: Offer) {
        bytes = SHA256.hash(offer.stream.bytes)
    }

    /// Exactly 32 bytes; nil otherwise.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// 64 hexadecimal digits in lower case.
    public var hexadecimal: String { Hexadecimal.encode(bytes) }

    /// The same.
    public var description: String { hexadecimal }
}
