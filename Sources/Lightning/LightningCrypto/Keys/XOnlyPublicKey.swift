import CSecp256k1
import LightningCoding

/// A BIP-340 public key: the x coordinate of the point with even y.
public struct XOnlyPublicKey: Sendable {
    /// The x coordinate: 32 bytes, big-endian.
    public let bytes: [UInt8]
    private let point: secp256k1_xonly_pubkey

    /// Exactly 32 bytes. Throws `invalidLength`, or `invalidPublicKey` when no point has this x.
    public init(_ bytes: some Collection<UInt8>) throws(CryptoFault) {
        var point = secp256k1_xonly_pubkey()
        try bytes.withContiguousBytes(exactly: Curve.scalarCount) { bytes throws(CryptoFault) in
            guard secp256k1_xonly_pubkey_parse(Curve.context, &point, bytes) == 1 else { throw .invalidPublicKey }
        }
        self.bytes = Array(bytes)
        self.point = point
    }

    /// Drops the parity of `publicKey`.
    init(_ publicKey: PublicKey) {
        var point = secp256k1_xonly_pubkey()
        // Never fails for a valid point.
        _ = publicKey.withPoint { secp256k1_xonly_pubkey_from_pubkey(Curve.context, &point, nil, $0) }
        self.bytes = Array(publicKey.bytes.dropFirst())
        self.point = point
    }

    func withPoint<Value>(_ body: (UnsafePointer<secp256k1_xonly_pubkey>) -> Value) -> Value {
        withUnsafePointer(to: point, body)
    }
}

extension XOnlyPublicKey: Hashable, CustomStringConvertible {
    /// Compares the x coordinate.
    public static func == (one: XOnlyPublicKey, other: XOnlyPublicKey) -> Bool {
        one.bytes == other.bytes
    }

    /// Hashes the x coordinate.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }

    /// The x coordinate in hexadecimal.
    public var description: String { Hexadecimal.encode(bytes) }
}
