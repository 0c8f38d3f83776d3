import LightningCoding

/// A message between nodes, as far as a node without channels parses it (BOLT 1). Others are only classified by how
/// they are handled.
public enum PeerMessage: Hashable, Sendable {
    /// `init`
    case initialize(InitialMessage)
    /// `error`: the sender gives up the channel or connection.
    case error(PeerNotice)
    /// `warning`
    case warning(PeerNotice)
    /// `ping`: requests a pong with this many bytes, unless 65532 or more; `padding` is the number of bytes that it
    /// carries.
    case ping(pongCount: UInt16, padding: UInt16)
    /// `pong`, with this many bytes.
    case pong(count: UInt16)
    /// `onion_message` (BOLT 4): everything after the type, unparsed.
    case onionMessage([UInt8])
    /// A dropped message: about channels, gossip, or of an unknown odd type.
    case dropped(PeerMessageType)

    /// From this number of bytes on, no pong is sent (BOLT 1, "The `ping` and `pong` Messages").
    public static let tooManyPongBytes: UInt16 = 65_532

    /// Parses a message: type and payload. Bytes after the known fields are ignored.
    ///
    /// Throws any `PeerMessageFault`.
    public init(_ bytes: [UInt8]) throws(PeerMessageFault) {
        var reader = ByteReader(bytes)
        guard let number = try? reader.readUInt16() else { throw .noType }
        let type = PeerMessageType(number)
        switch type {
        case .initialize: self = .initialize(try InitialMessage(from: &reader))
        case .error: self = .error(try PeerNotice(from: &reader, type))
        case .warning: self = .warning(try PeerNotice(from: &reader, type))
        case .ping: self = try Self.ping(&reader)
        case .pong: self = .pong(count: try Self.counted(&reader, type))
        case .onionMessage: self = .onionMessage(Array(reader.readRemaining()))
        default:
            guard type.disposal != .unknownEven else { throw .unknownEven(type) }
            self = .dropped(type)
        }
    }

    private static func ping(_ reader: inout ByteReader) throws(PeerMessageFault) -> PeerMessage {
        guard let pongCount = try? reader.readUInt16() else { throw .truncated(.ping) }
        return .ping(pongCount: pongCount, padding: try counted(&reader, .ping))
    }

    private static func counted(
        _ reader: inout ByteReader, _ type: PeerMessageType
    ) throws(PeerMessageFault) -> UInt16 {
        do throws(CodingFault) {
            let count = try reader.readUInt16()
            _ = try reader.read(Int(count))
            return count
        } catch {
            throw .truncated(type)
        }
    }

    /// The message inside the transport: type and payload. A dropped message is only its type.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .initialize(let message):
            writer.writeUInt16(PeerMessageType.initialize.number)
            message.write(to: &writer)
        case .error(let notice):
            writer.writeUInt16(PeerMessageType.error.number)
            notice.write(to: &writer)
        case .warning(let notice):
            writer.writeUInt16(PeerMessageType.warning.number)
            notice.write(to: &writer)
        case .ping(let pongCount, let padding):
            writer.writeUInt16(PeerMessageType.ping.number)
            writer.writeUInt16(pongCount)
            writer.writeZeros(padding)
        case .pong(let count):
            writer.writeUInt16(PeerMessageType.pong.number)
            writer.writeZeros(count)
        case .onionMessage(let payload):
            writer.writeUInt16(PeerMessageType.onionMessage.number)
            writer.write(payload)
        case .dropped(let type):
            writer.writeUInt16(type.number)
        }
        return writer.bytes
    }
}

extension ByteWriter {
    fileprivate mutating func writeZeros(_ count: UInt16) {
        writeUInt16(count)
        write(repeatElement(0, count: Int(count)))
    }
}
