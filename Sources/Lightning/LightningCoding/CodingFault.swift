/// An encoding fault: what is wrong with a text or byte string, and where.
public struct CodingFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: NamedRule, Hashable, Sendable {
        /// The input ends before the item that starts at the offset.
        case truncated
        /// Bytes follow the end of the item.
        case trailingBytes
        /// A shorter encoding of the same number exists (BOLT 1, "Fundamental Types": bigsize).
        case notMinimal
        /// A truncated integer with a leading zero byte.
        case leadingZero
        /// The input is longer than the item can be.
        case tooLong
        /// Hexadecimal text with an odd number of digits.
        case oddLength
        /// A character or byte outside the alphabet.
        case invalidCharacter
        /// Upper and lower case in one bech32 text.
        case mixedCase
        /// A bech32 text without a `1`.
        case missingSeparator
        /// A bech32 text that starts with its separator.
        case emptyHumanReadablePart
        /// The bech32 checksum does not match.
        case badChecksum
        /// The padding of the last group is too long or not zero.
        case badPadding
        /// A record with a lower type than the one before.
        case outOfOrder
        /// A record with the same type as an earlier one.
        case duplicate
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// A number outside the range that the item allows.
        case outOfRange
        /// An empty input where something is required.
        case empty
        /// A `+` that is not between two characters (BOLT 12, "Encoding").
        case invalidContinuation
    }

    /// What is wrong.
    public let kind: Kind
    /// Where: in bytes from the start of the input, which for ASCII text equals characters.
    public let offset: Int

    /// Creates a fault.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The same as `reason`.
    public var description: String { reason }

    /// What is wrong, worded to follow the text's name: "its checksum does not match".
    public var reason: String {
        let place = " (character \(offset + 1))"
        return switch kind {
        case .truncated, .empty: "it is too short"
        case .trailingBytes, .tooLong, .oddLength: "it is too long"
        case .notMinimal, .leadingZero, .outOfRange: "a number in it is not in canonical form"
        case .invalidCharacter, .invalidContinuation: "invalid character" + place
        case .mixedCase: "it mixes upper and lower case" + place
        case .missingSeparator: "it has no separator, the digit 1"
        case .emptyHumanReadablePart: "there is nothing before its separator"
        case .badChecksum: "its checksum does not match, so there is a typo"
        case .badPadding: "its last bits are not zero"
        case .outOfOrder, .duplicate: "its parts are out of order"
        case .invalidUTF8: "it is not UTF-8"
        }
    }
}

extension CodingFault: NamedRule {
    /// The name of the rule in vector files.
    public var rule: String { kind.caseName }
}
