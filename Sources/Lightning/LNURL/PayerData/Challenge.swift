public import LightningCoding
public import LightningCrypto

/// A challenge (`k1`, LUD-04): 32 bytes that a payer signs.
///
/// Ours are self-authenticating, so that none need be stored before it is answered: 8 bytes of time (seconds,
/// big-endian), 8 bytes of nonce, and the first 16 bytes of an HMAC-SHA-256 over both and the recipient's account.
public struct Challenge: Hashable, Sendable {
    /// The 32 bytes that are signed.
    public let bytes: [UInt8]

    /// The length of a challenge, in bytes.
    public static let count = 32
    /// The length of a nonce, in bytes.
    public static let nonceCount = 8
    /// How long a challenge of ours may be answered, in seconds.
    public static let lifetime: UInt64 = 600

    private static let codeOffset = 16

    /// Any service's challenge.
    public init(_ bytes: some Collection<UInt8>) throws(ChallengeFault) {
        guard bytes.count == Self.count else { throw .malformed }
        self.bytes = Array(bytes)
    }

    /// Parses 64 hexadecimal digits.
    public init(hexadecimal text: some StringProtocol) throws(ChallengeFault) {
        guard let bytes = try? Hexadecimal.decode(text) else { throw .malformed }
        try self.init(bytes)
    }

    /// The challenge in JSON, in lower case.
    public var hexadecimal: String { Hexadecimal.encode(bytes) }
}

extension Challenge {
    /// Creates a challenge for payers of an account.
    ///
    /// - Parameters:
    ///   - account: its full name, which no other account has.
    ///   - now: the current time.
    ///   - nonce: 8 random bytes, so that challenges of the same second differ.
    ///   - key: a key used only for this purpose.
    /// - Throws: `CryptoFault.invalidLength` for another length of the nonce.
    public static func mint(
        for account: String,
        at now: UnixTime,
        nonce: [UInt8],
        key: SecretBytes
    ) throws(CryptoFault) -> Challenge {
        guard nonce.count == nonceCount else { throw .invalidLength(expected: nonceCount, found: nonce.count) }
        var stamp = ByteWriter(capacity: count)
        stamp.writeUInt64(now.seconds)
        stamp.write(nonce)
        return Challenge(stamp: stamp.bytes, code: code(over: stamp.bytes, for: account, key: key))
    }

    private init(stamp: [UInt8], code: ArraySlice<UInt8>) {
        bytes = stamp + code
    }

    /// Checks that we created this challenge for that account, and that it has not expired. The ledger checks whether it
    /// was already used.
    ///
    /// - Returns: when it expires: from then on its use need not be recorded.
    @discardableResult
    public func check(
        for account: String,
        at now: UnixTime,
        key: SecretBytes,
        lifetime: UInt64 = Challenge.lifetime
    ) throws(ChallengeFault) -> UnixTime {
        let stamp = bytes[..<Self.codeOffset]
        let code = Self.code(over: stamp, for: account, key: key)
        guard ConstantTime.equal(code, bytes[Self.codeOffset...]) else { throw .forged }
        let mintedAt = UnixTime(bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        let expiresAt = mintedAt.adding(seconds: lifetime)
        guard now < expiresAt else { throw .expired }
        return expiresAt
    }

    private static func code(
        over stamp: some Collection<UInt8>,
        for account: String,
        key: SecretBytes
    ) -> ArraySlice<UInt8> {
        // The stamp has a fixed length, so that the boundary with the account is unambiguous.
        HMACSHA256.authenticate(Array(stamp) + Array(account.utf8), key: key)[..<(count - codeOffset)]
    }
}

extension Challenge: CustomStringConvertible {
    /// The hexadecimal digits.
    public var description: String { hexadecimal }
}
