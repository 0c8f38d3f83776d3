/// A text that is the same as another when their UTF-8 bytes are: the form in which text from outside is compared, and the
/// key under which it is kept.
///
/// `String` takes canonically equivalent texts for one (`é` as one scalar or as two). To find out costs time that grows with
/// the square of the combining marks on one letter, which somebody outside chooses.
public struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    public let text: String

    /// A text to be compared by its bytes.
    public init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    /// A text to be compared by its bytes.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// Whether both have the same bytes.
    public static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.isExactly(other.text)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 has this byte, so that texts that follow each other cannot be shifted against each other.
        hasher.combine(0xff as UInt8)
    }
}

extension StringProtocol {
    /// Whether it has the same bytes of UTF-8 as another text.
    public func isExactly(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether its bytes of UTF-8 begin with those of another text.
    public func begins(with prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// The text with `A` to `Z` in lower case, and every other character as it is.
    public var lowercasedASCII: String {
        String(decoding: utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case whose raw value has the bytes of a text. `init(rawValue:)` compares by canonical equivalence.
    public init?(exactly text: some StringProtocol) {
        guard let value = Self.allCases.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
        self = value
    }
}
