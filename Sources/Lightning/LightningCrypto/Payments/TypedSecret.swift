import LightningCoding

/// A 32-byte secret with its own type. Wiped when its last copy is released, compared in constant time, never printed.
public protocol TypedSecret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The 32 bytes.
    var secret: SecretBytes { get }

    /// Exactly 32 bytes, shared and not copied. Throws `invalidLength`.
    init(_ secret: SecretBytes) throws(CryptoFault)
}

extension TypedSecret {
    /// The length in bytes.
    public static var byteCount: Int { 32 }

    /// Exactly 32 bytes. Throws `invalidLength`.
    public init(_ bytes: some Collection<UInt8>) throws(CryptoFault) {
        try Self.requireLength(of: bytes)
        try self.init(SecretBytes(bytes))
    }

    /// 64 hexadecimal digits of either case. Throws `invalidHexadecimal` or `invalidLength`.
    public init(hexadecimal: some StringProtocol) throws(CryptoFault) {
        guard let bytes = try? Hexadecimal.decode(hexadecimal) else { throw .invalidHexadecimal }
        try self.init(bytes)
    }

    /// 32 bytes from `random`.
    public init(random: RandomSource) throws(CryptoFault) {
        try self.init(random(Self.byteCount))
    }

    /// A copy that is not wiped: for when the secret is disclosed.
    public var bytes: [UInt8] { secret.copiedBytes }

    /// 64 lower-case hexadecimal digits: for when the secret is disclosed.
    public var hexadecimal: String { Hexadecimal.encode(secret) }

    /// Constant time.
    public static func == (one: Self, other: Self) -> Bool {
        one.secret == other.secret
    }

    /// A placeholder that hides the secret.
    public var description: String { secret.description }

    /// The same.
    public var debugDescription: String { secret.debugDescription }

    /// Shows nothing to reflection.
    public var customMirror: Mirror { Mirror(self, children: []) }

    static func requireLength(of bytes: some Collection<UInt8>) throws(CryptoFault) {
        guard bytes.count == byteCount else { throw .invalidLength(expected: byteCount, found: bytes.count) }
    }
}

/// Given to the payer in the invoice, so that nobody else can probe for the payment (BOLT 11, field `s`).
public struct PaymentSecret: TypedSecret {
    /// The 32 bytes.
    public let secret: SecretBytes

    /// Exactly 32 bytes, shared and not copied. Throws `invalidLength`.
    public init(_ secret: SecretBytes) throws(CryptoFault) {
        try Self.requireLength(of: secret)
        self.secret = secret
    }
}

/// Released by the payee to claim the payment, and the payer's proof of payment. It must not be disclosed before the
/// payment has settled.
public struct Preimage: TypedSecret {
    /// The 32 bytes.
    public let secret: SecretBytes

    /// Exactly 32 bytes, shared and not copied. Throws `invalidLength`.
    public init(_ secret: SecretBytes) throws(CryptoFault) {
        try Self.requireLength(of: secret)
        self.secret = secret
    }

    /// The SHA-256 of the preimage.
    public var paymentHash: PaymentHash { PaymentHash(of: self) }
}

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
