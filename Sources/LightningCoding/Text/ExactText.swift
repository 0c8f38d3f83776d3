/// A text compared by its UTF-8 bytes; used to compare text from outside, and as a dictionary key.
///
/// `String` treats canonically equivalent texts as equal (`é` as one scalar or as two). That comparison takes time
/// quadratic in the number of combining marks on one letter, which an attacker could choose.
public struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    public let text: String

    /// Creates one from a text.
    public init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    /// Creates one from a text.
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
        // This byte never occurs in UTF-8, so that texts hashed one after the other cannot be confused.
        hasher.combine(0xff as UInt8)
    }
}

extension StringProtocol {
    // Inlined into other modules: for a text of unknown type each byte costs several calls.

    /// Whether it has the same UTF-8 bytes as another text.
    @inlinable
    public func isExactly(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether its UTF-8 bytes begin with those of another text.
    @inlinable
    public func begins(with prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// The text with `A` to `Z` in lower case, and all other characters unchanged.
    public var lowercasedASCII: String {
        var text = String(self)
        return text.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { copy in
                for (index, byte) in bytes.enumerated() {
                    copy.initializeElement(at: index, to: (0x41...0x5a).contains(byte) ? byte | 0x20 : byte)
                }
                return bytes.count
            }
        }
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case whose raw value has the same bytes as a text. `init(rawValue:)` compares by canonical equivalence.
    public init?(exactly text: some StringProtocol) {
        guard let value = Self.allCases.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
        self = value
    }
}
