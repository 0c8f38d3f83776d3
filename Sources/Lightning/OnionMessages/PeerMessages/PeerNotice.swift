import LightningCoding

/// The content of `error` and `warning` (BOLT 1, "The `error` and `warning` Messages").
public struct PeerNotice: Hashable, Sendable {
    /// Its channel, 32 bytes; nil (all zero on the wire) for the whole connection.
    public let channel: [UInt8]?
    /// The peer's text, with everything but printable ASCII replaced by `?`, since it is shown in terminals and logs.
    /// At most 200 characters.
    public let text: String

    private static let channelCount = 32
    private static let longestText = 200

    /// A notice about the whole connection.
    public init(_ text: String) {
        channel = nil
        self.text = Self.printable(text.utf8)
    }

    init(from reader: inout ByteReader, _ type: PeerMessageType) throws(PeerMessageFault) {
        do throws(CodingFault) {
            let channel = try reader.read(Self.channelCount)
            self.channel = channel.allSatisfy { $0 == 0 } ? nil : Array(channel)
            text = Self.printable(try reader.read(Int(reader.readUInt16())))
        } catch {
            throw .truncated(type)
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.write(channel ?? [UInt8](repeating: 0, count: Self.channelCount))
        writer.writeUInt16(UInt16(text.utf8.count))
        writer.write(text.utf8)
    }

    private static func printable(_ bytes: some Collection<UInt8>) -> String {
        let safe = bytes.prefix(longestText).map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: safe, as: UTF8.self)
    }
}
