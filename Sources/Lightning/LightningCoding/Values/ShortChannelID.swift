/// A channel, identified by its funding output (BOLT 7, "Definition of `short_channel_id`").
public struct ShortChannelID: Hashable, Sendable {
    /// Block height (24 bits), transaction index (24 bits), output index (16 bits).
    public let value: UInt64

    /// Creates one from its 64-bit wire value.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// Parses `539268x845x1`: three decimal numbers of 24, 24 and 16 bits.
    ///
    /// Throws `missingSeparator`, `invalidCharacter` or `outOfRange`.
    public init(text: some StringProtocol) throws(CodingFault) {
        let parts = String(text).utf8.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw CodingFault(.missingSeparator, at: text.utf8.count) }
        var value: UInt64 = 0
        var offset = 0
        for (part, bits) in zip(parts, [24, 24, 16]) {
            value = value << bits | (try Self.number(Substring(part), bits: bits, at: offset))
            offset += part.count + 1
        }
        self.value = value
    }

    private static func number(_ text: some StringProtocol, bits: Int, at offset: Int) throws(CodingFault) -> UInt64 {
        guard text.isDigits else { throw CodingFault(.invalidCharacter, at: offset) }
        guard let number = UInt64(text), number >> bits == 0 else { throw CodingFault(.outOfRange, at: offset) }
        return number
    }
}

extension ShortChannelID: Comparable, CustomStringConvertible {
    /// Orders by block, then transaction, then output.
    public static func < (one: ShortChannelID, other: ShortChannelID) -> Bool {
        one.value < other.value
    }

    /// `539268x845x1`.
    public var description: String {
        "\(value >> 40)x\(value >> 16 & 0xFF_FFFF)x\(value & 0xFFFF)"
    }
}
