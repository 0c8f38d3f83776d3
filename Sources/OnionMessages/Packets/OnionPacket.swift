import LightningCoding
public import LightningCrypto

/// The packet that nodes forward to each other, one layer less at each (BOLT 4, `onion_message_packet`).
public struct OnionPacket: Hashable, Sendable {
    /// The lengths of `payloads` that BOLT 4 recommends, in bytes. Any other could reveal a message's origin.
    public enum Size: Int, CaseIterable, Sendable {
        /// For whatever fits.
        case small = 1300
        /// For the rest.
        case large = 32768
    }

    /// The length of the HMAC in bytes.
    public static let codeCount = 32

    private static let version: UInt8 = 0
    private static let pointCount = 33
    /// A 2-byte payload with its length, and the next HMAC.
    private static let leastPayloadCount = 3 + codeCount

    /// The sender's ephemeral key for the receiving node.
    public let publicKey: PublicKey
    /// The encrypted payloads: at least 35 bytes.
    public let payloads: [UInt8]
    /// Authenticates `payloads`: 32 bytes.
    public let authenticationCode: [UInt8]

    init(publicKey: PublicKey, payloads: [UInt8], authenticationCode: [UInt8]) {
        self.publicKey = publicKey
        self.payloads = payloads
        self.authenticationCode = authenticationCode
    }

    /// Parses exactly one packet. Throws `tooShort`, `unknownVersion` or `invalidPublicKey`.
    public init(_ bytes: ArraySlice<UInt8>) throws(OnionFault) {
        guard bytes.count >= 1 + Self.pointCount + Self.leastPayloadCount + Self.codeCount else { throw .tooShort }
        guard let version = bytes.first, version == Self.version else {
            throw .unknownVersion(bytes.first ?? Self.version)
        }
        let rest = bytes.dropFirst()
        publicKey = try rethrowing(PublicKey(rest.prefix(Self.pointCount)), as: OnionFault.invalidPublicKey)
        payloads = Array(rest.dropFirst(Self.pointCount).dropLast(Self.codeCount))
        authenticationCode = Array(rest.suffix(Self.codeCount))
    }

    /// The packet in wire format: `payloads` and 66 bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: byteCount)
        write(to: &writer)
        return writer.bytes
    }

    var byteCount: Int { 1 + Self.pointCount + payloads.count + Self.codeCount }

    func write(to writer: inout ByteWriter) {
        writer.write(Self.version)
        writer.write(publicKey.bytes)
        writer.write(payloads)
        writer.write(authenticationCode)
    }
}
