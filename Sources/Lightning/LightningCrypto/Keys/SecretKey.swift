import CSecp256k1
import Synchronization

/// A private key of secp256k1: a scalar in 1..<n. Wiped when its last copy is released, compared in constant time,
/// never printed.
public struct SecretKey: Sendable {
    private let storage: Storage

    /// 32 bytes, big-endian. Throws `invalidLength`, or `invalidSecretKey` for zero and for n or more.
    public init(_ bytes: some Collection<UInt8>) throws(CryptoFault) {
        guard bytes.count == Curve.scalarCount else {
            throw .invalidLength(expected: Curve.scalarCount, found: bytes.count)
        }
        try self.init(scalar: SecretBytes(bytes))
    }

    /// A key drawn from `random`.
    public init(random: RandomSource) throws(CryptoFault) {
        try self.init(random(Curve.scalarCount))
    }

    init(scalar: SecretBytes) throws(CryptoFault) {
        guard scalar.withPointer({ secp256k1_ec_seckey_verify(Curve.context, $0) }) == 1 else {
            throw .invalidSecretKey
        }
        storage = Storage(scalar)
    }

    /// A key from the system's generator, without leaving a copy elsewhere.
    public static func random() throws(CryptoFault) -> SecretKey {
        try SecretKey(scalar: SecretBytes(randomCount: Curve.scalarCount))
    }

    /// The public key. Computed once.
    public var publicKey: PublicKey { storage.keypair.publicKey }

    /// Passes the 32 bytes to `body`; the pointer must not escape.
    public func withBytes<Value, Fault>(
        _ body: (UnsafeRawBufferPointer) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        try storage.scalar.withBytes(body)
    }

    func withScalar<Value>(_ body: (UnsafePointer<UInt8>) -> Value) -> Value {
        storage.scalar.withPointer(body)
    }

    func withKeypair<Value>(_ body: (UnsafePointer<secp256k1_keypair>) -> Value) -> Value {
        storage.keypair.withKeypair(body)
    }
}

extension SecretKey {
    /// `tweak · key mod n`. Throws `invalidTweak` for zero and for n or more.
    public func tweaked(multiplyingBy tweak: some Collection<UInt8>) throws(CryptoFault) -> SecretKey {
        let result = try SecretBytes(count: Curve.scalarCount) { result throws(CryptoFault) in
            try tweak.withContiguousBytes(exactly: Curve.scalarCount) { tweak throws(CryptoFault) in
                withScalar { result.update(from: $0, count: Curve.scalarCount) }
                guard secp256k1_ec_seckey_tweak_mul(Curve.context, result, tweak) == 1 else { throw .invalidTweak }
            }
        }
        return try SecretKey(scalar: result)
    }
}

extension SecretKey: Equatable {
    /// Constant time.
    public static func == (one: SecretKey, other: SecretKey) -> Bool {
        one.storage.scalar == other.storage.scalar
    }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder that hides the key.
    public var description: String { "<secret key>" }

    /// The same.
    public var debugDescription: String { description }

    /// Shows nothing to reflection.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The scalar, and its keypair, computed at first use, since ECDH does not need it.
private final class Storage: Sendable {
    let scalar: SecretBytes
    private let computed = AtomicLazyReference<Keypair>()

    init(_ scalar: SecretBytes) {
        self.scalar = scalar
    }

    var keypair: Keypair { computed.load() ?? computed.storeIfNil(Keypair(scalar)) }
}

/// libsecp256k1's keypair.
private final class Keypair: Sendable {
    private let bytes: SecretBytes
    let publicKey: PublicKey

    init(_ scalar: SecretBytes) {
        var point = secp256k1_pubkey()
        bytes = SecretBytes(count: MemoryLayout<secp256k1_keypair>.size) { start in
            let keypair = UnsafeMutableRawPointer(start).assumingMemoryBound(to: secp256k1_keypair.self)
            // Neither call fails for a scalar in 1..<n, which every `SecretKey` is.
            _ = scalar.withPointer { secp256k1_keypair_create(Curve.context, keypair, $0) }
            _ = secp256k1_keypair_pub(Curve.context, &point, keypair)
        }
        publicKey = PublicKey(point)
    }

    func withKeypair<Value>(_ body: (UnsafePointer<secp256k1_keypair>) -> Value) -> Value {
        bytes.withPointer { body(UnsafeRawPointer($0).assumingMemoryBound(to: secp256k1_keypair.self)) }
    }
}

extension SecretKey {
    /// The Diffie-Hellman secret of BOLT 4 and BOLT 8: SHA-256 over the 33 bytes of the compressed point `key · publicKey`.
    public func sharedSecret(with publicKey: PublicKey) throws(CryptoFault) -> SecretBytes {
        try agreed(with: publicKey, count: SHA256.byteCount, nil)
    }

    /// The compressed point `key · publicKey` itself, 33 bytes, not hashed.
    public func sharedPoint(with publicKey: PublicKey) throws(CryptoFault) -> SecretBytes {
        try agreed(with: publicKey, count: Curve.pointCount) { output, x, y, _ in
            guard let output, let x, let y else { return 0 }
            output[0] = 0x02 | (y[Curve.scalarCount - 1] & 1)
            (output + 1).update(from: x, count: Curve.scalarCount)
            return 1
        }
    }

    private func agreed(
        with publicKey: PublicKey, count: Int, _ form: secp256k1_ecdh_hash_function?
    ) throws(CryptoFault) -> SecretBytes {
        try SecretBytes(count: count) { output throws(CryptoFault) in
            let outcome = publicKey.withPoint { point in
                withScalar { secp256k1_ecdh(Curve.context, output, point, $0, form, nil) }
            }
            guard outcome == 1 else { throw .invalidPublicKey }
        }
    }
}
