import LightningCoding

/// Identifies a payment on the network: the SHA-256 of its preimage.
public struct PaymentHash: Hashable, Sendable, CustomStringConvertible {
    /// The length in bytes.
    public static let byteCount = 32

    /// 32 bytes.
    public let bytes: [UInt8]

    /// Exactly 32 bytes. Throws `invalidLength`.
    public init(_ bytes: some Collection<UInt8>) throws(CryptoFault) {
        guard bytes.count == Self.byteCount else {
            throw .invalidLength(expected: Self.byteCount, found: bytes.count)
        }
        self.bytes = Array(bytes)
    }

    /// The hash of a preimage.
    public init(of preimage: Preimage) {
        bytes = SHA256.hash(preimage.secret)
    }

    /// 64 hexadecimal digits of either case. Throws `invalidHexadecimal` or `invalidLength`.
    public init(hexadecimal: some StringProtocol) throws(CryptoFault) {
        guard let bytes = try? Hexadecimal.decode(hexadecimal) else { throw .invalidHexadecimal }
        try self.init(bytes)
    }

    /// 64 hexadecimal digits in lower case.
    public var hexadecimal: String { Hexadecimal.encode(bytes) }

    /// The same.
    public var description: String { hexadecimal }
}
