import LightningCoding
public import LightningCrypto

/// An onion message between two nodes (BOLT 4, `onion_message`).
public struct OnionMessage: Hashable, Sendable {
    /// The message type of BOLT 1.
    public static let type: UInt16 = 513

    /// The path key, from which the receiving node derives the secrets of its layer.
    public let pathKey: PublicKey
    /// The onion.
    public let packet: OnionPacket

    /// Creates a message.
    public init(pathKey: PublicKey, packet: OnionPacket) {
        self.pathKey = pathKey
        self.packet = packet
    }

    /// Parses a message after its type: `path_key`, `len`, packet. Further bytes are an undefined extension, and
    /// ignored. Lengths and version are checked before any point is parsed.
    ///
    /// Throws `tooShort`, `unknownVersion`, `invalidPathKey` or `invalidPublicKey`.
    public init(body: ArraySlice<UInt8>) throws(OnionFault) {
        var reader = ByteReader(body)
        let point: ArraySlice<UInt8>
        let packet: ArraySlice<UInt8>
        do {
            point = try reader.read(33)
            packet = try reader.read(Int(reader.readUInt16()))
        } catch {
            throw .tooShort
        }
        self.packet = try OnionPacket(packet)
        pathKey = try rethrowing(PublicKey(point), as: OnionFault.invalidPathKey)
    }

    /// The message after its type.
    public var body: [UInt8] {
        var writer = ByteWriter(capacity: 35 + packet.byteCount)
        writer.write(pathKey.bytes)
        // A parsed packet had a two-byte length, and a created one has an `OnionPacket.Size`.
        writer.writeUInt16(UInt16(clamping: packet.byteCount))
        packet.write(to: &writer)
        return writer.bytes
    }
}
