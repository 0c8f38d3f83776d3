/// A spelling fault: what is wrong with a text or a byte string, and where.
public struct CodingFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The input ends before the item that starts at the offset does.
        case truncated
        /// Bytes follow where the item should end.
        case trailingBytes
        /// A shorter spelling of the same number exists (BOLT 1, "Fundamental Types": bigsize).
        case notMinimal
        /// A truncated integer starts with a zero byte.
        case leadingZero
        /// The input is longer than the item can be.
        case tooLong
        /// Hexadecimal text of an odd number of digits.
        case oddLength
        /// A character or byte that the alphabet does not have.
        case invalidCharacter
        /// Upper and lower case in one bech32 text.
        case mixedCase
        /// A bech32 text without a `1`.
        case missingSeparator
        /// A bech32 text that starts with its separator.
        case emptyHumanReadablePart
        /// The bech32 checksum does not match.
        case badChecksum
        /// The bits or characters that fill the last group are too many or not zero.
        case badPadding
        /// A record whose type is lower than the one before.
        case outOfOrder
        /// A record whose type was there before.
        case duplicate
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// A number outside the range that the item allows.
        case outOfRange
        /// Nothing where something is required.
        case empty
        /// A `+` that does not stand between two characters (BOLT 12, "Encoding").
        case invalidContinuation
    }

    /// What is wrong.
    public let kind: Kind
    /// Where: in bytes from the start of the input. Text codecs are ASCII, there it counts characters.
    public let offset: Int

    /// A fault of a kind at an offset.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The same as `reason`.
    public var description: String { reason }

    /// What is wrong, as what is said after the text's name: "its checksum does not match".
    public var reason: String {
        let place = " (character \(offset + 1))"
        return switch kind {
        case .truncated, .empty: "it is too short"
        case .trailingBytes, .tooLong, .oddLength: "it is too long"
        case .notMinimal, .leadingZero, .outOfRange: "a number in it is not written as it must be"
        case .invalidCharacter, .invalidContinuation: "a character does not belong there" + place
        case .mixedCase: "it mixes upper and lower case" + place
        case .missingSeparator: "it has no separator, the digit 1"
        case .emptyHumanReadablePart: "nothing stands before its separator"
        case .badChecksum: "its checksum does not match, so that a character must be wrong"
        case .badPadding: "its last bits are not zero"
        case .outOfOrder, .duplicate: "its parts are not in order"
        case .invalidUTF8: "it is not UTF-8"
        }
    }
}
