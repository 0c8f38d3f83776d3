/// The name before the `@` of a Lightning address, without its tag: 1 to 64 of `a-z0-9-_.` (LUD-16).
///
/// Upper-case ASCII letters are folded to lower case, since wallets send what people type.
public struct AddressName: Hashable, Sendable {
    /// The name in lower case.
    public let text: String

    /// The name of a domain itself: `_@example.com`.
    public static let root = AddressName(unchecked: "_")

    private init(unchecked text: String) {
        self.text = text
    }

    /// Whether it can be a label of a host name: 1 to 63 of `a-z 0-9 - _`, without a hyphen at either end.
    public var isLabel: Bool {
        let hyphen = UInt8(ascii: "-")
        return text.utf8.count < 64 && !text.utf8.contains(UInt8(ascii: ".")) && text.utf8.first != hyphen
            && text.utf8.last != hyphen
    }

    /// The longest name, in characters.
    public static let maximumCount = 64

    /// Parses a name that is already percent-decoded.
    public init(_ text: some StringProtocol) throws(AddressFault) {
        guard !text.isEmpty else { throw .emptyName }
        let folded = try foldedLocalPart(text, allowing: [])
        guard folded.utf8.count <= Self.maximumCount else { throw .nameTooLong }
        guard folded != ".", folded != ".." else { throw .dotSegment }
        self.text = folded
    }
}

extension AddressName: CustomStringConvertible {
    /// The name in lower case.
    public var description: String { text }
}

extension AddressName: Comparable {
    /// Orders by bytes.
    public static func < (one: AddressName, other: AddressName) -> Bool { one.text < other.text }
}

/// Lower-cases ASCII and refuses every byte outside `a-z0-9-_.` and `extra`.
func foldedLocalPart(
    _ text: some StringProtocol,
    allowing extra: Set<UInt8>
) throws(AddressFault) -> String {
    let bytes = Array(text.utf8)
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    for (offset, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            folded.append(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            folded.append(byte)
        case let byte where extra.contains(byte):
            folded.append(byte)
        default:
            throw .invalidCharacter(at: offset)
        }
    }
    return String(decoding: folded, as: UTF8.self)
}
