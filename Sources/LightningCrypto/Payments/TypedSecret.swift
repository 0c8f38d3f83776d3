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

    /// Passes the bytes to `body`; the pointer must not escape.
    public func withBytes<Value, Fault>(
        _ body: (UnsafeRawBufferPointer) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        try secret.withBytes(body)
    }

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
