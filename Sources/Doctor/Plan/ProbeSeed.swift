public import LightningCoding
public import LightningCrypto

/// What the requests of one examination contain by chance, and when it began.
public struct ProbeSeed: Sendable {
    /// A name that no service knows.
    public let unknownName: String
    /// A payment hash that no service knows, in hexadecimal.
    public let unknownHash: String
    /// The key that signs payer data and zaps.
    public let key: SecretKey
    /// The time.
    public let now: UnixTime

    /// Draws it.
    public init(now: UnixTime, random: RandomSource = SystemRandom.bytes) throws(CryptoFault) {
        unknownName = "doctor-" + Hexadecimal.encode(try random(8))
        unknownHash = Hexadecimal.encode(try random(32))
        key = try SecretKey(random: random)
        self.now = now
    }
}
