public import LightningCoding
public import LightningCrypto

/// What a push message carries encrypted:
/// `{"v":1,"cipher":"<base64>","iv":"<hex>","tag":"<hex>","publicKey":"<hex>"}`, without `v` in the legacy format.
public struct WakeContainer: Hashable, Sendable {
    /// Its format.
    public let format: WakeFormat
    /// The encrypted message.
    public let sealed: SealedPayload

    /// The longest readable ciphertext in bytes: a push message has at most 4,096 bytes.
    private static let maximumCiphertext = 4096

    /// Encrypts a message for a device.
    ///
    /// - Parameters:
    ///   - plaintext: the message.
    ///   - device: the public key that the device has registered.
    ///   - format: the format that the app reads.
    ///   - random: draws a key, then a nonce, for this message only.
    public init(
        sealing plaintext: [UInt8], for device: PublicKey, as format: WakeFormat, random: RandomSource
    ) throws(CryptoFault) {
        self.format = format
        let ephemeral = try SecretKey(random: random)
        sealed = try SealedPayload(
            sealing: plaintext, for: device, purpose: format.purpose, ephemeral: ephemeral,
            nonce: random(format.nonceCount))
    }

    /// Reads a container.
    public init(_ members: JSONMembers<WakeFault>, as format: WakeFormat) throws(WakeFault) {
        if format == .current, try members.unsigned("v") != 1 { throw .version }
        self.format = format
        let cipher = try members.parsed("cipher") { try Base64.decode($0) }
        guard cipher.count <= Self.maximumCiphertext else { throw members.fault("cipher") }
        sealed = SealedPayload(
            ciphertext: cipher,
            nonce: try Self.hexadecimal("iv", of: format.nonceCount, in: members),
            tag: try Self.hexadecimal("tag", of: 16, in: members),
            sender: try members.parsed("publicKey") { try PublicKey(hexadecimal: $0) })
    }

    /// The message.
    ///
    /// - Throws: `authentication`.
    public func opened(with device: SecretKey) throws(WakeFault) -> [UInt8] {
        try rethrowing(sealed.opened(with: device, purpose: format.purpose), as: WakeFault.authentication)
    }

    /// As it is sent.
    public var json: JSONObject {
        var object: JSONObject = format == .current ? ["v": 1] : [:]
        object.append("cipher", .string(Base64.encode(sealed.ciphertext)))
        object.append("iv", .string(Hexadecimal.encode(sealed.nonce)))
        object.append("tag", .string(Hexadecimal.encode(sealed.tag)))
        object.append("publicKey", .string(sealed.sender.hexadecimal))
        return object
    }

    private static func hexadecimal(
        _ key: String, of count: Int, in members: JSONMembers<WakeFault>
    ) throws(WakeFault) -> [UInt8] {
        let bytes = try members.parsed(key) { try Hexadecimal.decode($0) }
        guard bytes.count == count else { throw members.fault(key) }
        return bytes
    }
}
