import LightningCoding
public import LightningCrypto

/// What travels between two nodes (BOLT 4, `onion_message`).
public struct OnionMessage: Hashable, Sendable {
    /// The message type of BOLT 1.
    public static let type: UInt16 = 513

    /// With what the node that gets the message finds the secrets of its layer.
    public let pathKey: PublicKey
    /// The layers.
    public let packet: OnionPacket

    /// A message of its two parts.
    public init(pathKey: PublicKey, packet: OnionPacket) {
        self.pathKey = pathKey
        self.packet = packet
    }

    /// Reads what follows the type of a message: `path_key`, `len`, packet. Bytes behind are an extension that has no meaning
    /// yet, and ignored. Lengths and the version are looked at before any point is computed.
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
        do {
            pathKey = try PublicKey(point)
        } catch {
            throw .invalidPathKey
        }
    }

    /// What follows the type of a message.
    public var body: [UInt8] {
        var writer = ByteWriter(capacity: 35 + packet.byteCount)
        writer.write(pathKey.bytes)
        // A packet that was read had a length of two bytes, and one that was made has one of `OnionPacket.Size`.
        writer.writeUInt16(UInt16(clamping: packet.byteCount))
        packet.write(to: &writer)
        return writer.bytes
    }
}
