import CSecp256k1
import LightningCoding

/// A point of secp256k1 other than infinity: a node id, a blinded id, a path key.
///
/// It stores the parsed point with the bytes, so that decompression happens only once.
public struct PublicKey: Sendable {
    /// The compressed form: 33 bytes, 02 or 03 followed by x, big-endian.
    public let bytes: [UInt8]
    private let point: secp256k1_pubkey

    /// Exactly 33 bytes in compressed form. Throws `invalidLength`, or `invalidPublicKey` when they are not a point.
    public init(_ bytes: some Collection<UInt8>) throws(CryptoFault) {
        var point = secp256k1_pubkey()
        try bytes.withContiguousBytes(exactly: Curve.pointCount) { bytes throws(CryptoFault) in
            guard secp256k1_ec_pubkey_parse(Curve.context, &point, bytes, Curve.pointCount) == 1 else {
                throw .invalidPublicKey
            }
        }
        self.bytes = Array(bytes)
        self.point = point
    }

    /// The compressed form in hexadecimal, 66 digits. Throws `invalidPublicKey` when it is not hexadecimal.
    public init(hexadecimal: some StringProtocol) throws(CryptoFault) {
        guard let bytes = try? Hexadecimal.decode(hexadecimal) else { throw .invalidPublicKey }
        try self.init(bytes)
    }

    init(_ point: secp256k1_pubkey) {
        self.point = point
        bytes = [UInt8](count: Curve.pointCount) { output in
            var count = Curve.pointCount
            withUnsafePointer(to: point) { point in
                // Never fails for a parsed or computed point.
                _ = secp256k1_ec_pubkey_serialize(Curve.context, output, &count, point, UInt32(SECP256K1_EC_COMPRESSED))
            }
        }
    }

    /// The compressed form in lower-case hexadecimal, 66 digits.
    public var hexadecimal: String { Hexadecimal.encode(bytes) }

    /// The x coordinate, as in BIP-340.
    public var xOnly: XOnlyPublicKey { XOnlyPublicKey(self) }

    func withPoint<Value>(_ body: (UnsafePointer<secp256k1_pubkey>) -> Value) -> Value {
        withUnsafePointer(to: point, body)
    }
}

extension PublicKey {
    /// `tweak · point`. Throws `invalidTweak` for zero and for n or more.
    public func tweaked(multiplyingBy tweak: some Collection<UInt8>) throws(CryptoFault) -> PublicKey {
        var result = point
        try tweak.withContiguousBytes(exactly: Curve.scalarCount) { tweak throws(CryptoFault) in
            guard secp256k1_ec_pubkey_tweak_mul(Curve.context, &result, tweak) == 1 else { throw .invalidTweak }
        }
        return PublicKey(result)
    }
}

extension PublicKey: Hashable, Comparable, CustomStringConvertible {
    /// Compares the compressed form.
    public static func == (one: PublicKey, other: PublicKey) -> Bool {
        one.bytes == other.bytes
    }

    /// The order of `node_id_1` and `node_id_2` in BOLT 7: by the bytes of the compressed form.
    public static func < (one: PublicKey, other: PublicKey) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }

    /// Hashes the compressed form.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }

    /// The compressed form in hexadecimal.
    public var description: String { hexadecimal }
}
