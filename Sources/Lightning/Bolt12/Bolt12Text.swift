import LightningCoding

/// The string form (BOLT 12, "Encoding"): a prefix, `1`, and a TLV stream in bech32 characters, without a checksum.
public enum Bolt12Text {
    /// The kind of a text, by its prefix.
    public enum Kind: String, CaseIterable, Sendable {
        /// An offer.
        case offer = "lno"
        /// An invoice request.
        case invoiceRequest = "lnr"
        /// An invoice.
        case invoice = "lni"
    }

    /// Longer than any text whose document fits into a Lightning message of 65,535 bytes, including `+` and white
    /// space.
    public static let maximumLength = 1 << 17

    /// Encodes a TLV stream in lower case.
    public static func encode(_ bytes: [UInt8], as kind: Kind) -> String {
        Bech32.encode(
            Bech32.Text(humanReadablePart: kind.rawValue, groups: Bech32.groups(fromBytes: bytes)), checksum: .none)
    }

    /// Decodes a text in either case, with or without `+`. Throws `text` or `wrongPrefix`.
    public static func decode(_ text: some StringProtocol, as kind: Kind) throws(RecordFault) -> [UInt8] {
        do throws(CodingFault) {
            let text = try Bech32.decode(text, checksum: .none, maximumLength: maximumLength)
            if text.humanReadablePart == kind.rawValue { return try Bech32.bytes(fromGroups: text.groups[...]) }
        } catch {
            throw .text(error)
        }
        throw .wrongPrefix(expected: kind.rawValue)
    }
}
