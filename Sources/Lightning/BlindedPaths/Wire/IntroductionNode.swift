public import LightningCoding
public import LightningCrypto

/// The first node of a blinded path (BOLT 1, `sciddir_or_pubkey`).
public enum IntroductionNode: Hashable, Sendable {
    /// By its node id: 33 bytes.
    case node(PublicKey)
    /// As one end of a public channel: 9 bytes. Resolving it requires knowing the channel.
    case channel(ShortChannelID, direction: Direction)

    /// Which end of the channel.
    public enum Direction: UInt8, Hashable, Sendable {
        /// `node_id_1`, the smaller of the two ids.
        case node1 = 0
        /// `node_id_2`.
        case node2 = 1
    }
}

extension IntroductionNode {
    /// Parses the next 9 or 33 bytes: 00 or 01 and a short channel id, or a point.
    public init(from reader: inout ByteReader) throws(BlindedPathFault) {
        do {
            let first = try reader.readByte()
            if let direction = Direction(rawValue: first) {
                self = .channel(ShortChannelID(try reader.readUInt64()), direction: direction)
            } else if first == 2 || first == 3 {
                self = .node(try PublicKey([first] + reader.read(32)))
            } else {
                throw BlindedPathFault.invalidIntroductionNode
            }
        } catch let fault as CodingFault {
            throw .encoding(fault)
        } catch {
            throw .invalidIntroductionNode
        }
    }

    /// Writes it.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .node(let nodeID):
            writer.write(nodeID.bytes)
        case .channel(let shortChannelID, let direction):
            writer.write(direction.rawValue)
            writer.writeUInt64(shortChannelID.value)
        }
    }
}
