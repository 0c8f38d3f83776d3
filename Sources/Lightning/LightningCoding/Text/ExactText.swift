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
    @inlinable
    public init?(exactly text: some StringProtocol) {
        guard let value = Self.allCases.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
        self = value
    }
}

extension StringProtocol {
    /// Whether it is a non-empty string of ASCII digits: no sign, space or exponent.
    @inlinable
    public var isDigits: Bool { !isEmpty && utf8.allSatisfy { $0.isDigit } }
}

extension UInt64 {
    /// A number written in ASCII digits only.
    @inlinable
    public init?(digits text: some StringProtocol) {
        guard text.isDigits else { return nil }
        self.init(text)
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    @usableFromInline
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether it is white space in ASCII: a space, or one of tab to carriage return.
    @usableFromInline
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension BidirectionalCollection<UInt8> {
    /// The text without leading and trailing ASCII white space.
    @inlinable
    public var trimmed: SubSequence {
        guard let last = lastIndex(where: { !$0.isSpace }) else { return self[endIndex...] }
        return self[...last].drop { $0.isSpace }
    }
}

extension String {
    /// Untrusted text on one line, safe to print: line breaks, terminal control characters and bidirectional controls
    /// are shown by number, as `\\u{202e}`.
    public var printable: String {
        var result = ""
        for scalar in unicodeScalars {
            if !scalar.isHidden {
                result.unicodeScalars.append(scalar)
            } else if scalar == "\n" {
                result += " ⏎ "
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal does not show it as it is: it may break a line, or steer what follows.
    fileprivate var isHidden: Bool {
        switch properties.generalCategory {
        // Joiners are part of emoji and harmless.
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
            self != "\u{200D}" && self != "\u{200C}"
        default: false
        }
    }
}

extension JSONValue {
    /// The value without white space, for a terminal: what it would not show as it is is escaped, in the way of JSON.
    public var printable: String {
        var result = ""
        for scalar in serialized().unicodeScalars {
            guard scalar.isHidden else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                result += "\\u" + Hexadecimal.encode([UInt8(unit >> 8), UInt8(unit & 0xFF)])
            }
        }
        return result
    }
}

/// Bytes read as UTF-8 without repair: invalid text is refused.
public enum UTF8Text {
    /// The text encoded by the bytes.
    ///
    /// Throws `invalidUTF8` at the first byte that does not belong to a scalar.
    public static func string(_ bytes: some Collection<UInt8>) throws(CodingFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CodingFault(.invalidUTF8, at: validPrefixLength(of: bytes))
        }
        return text
    }

    private static func validPrefixLength(of bytes: some Collection<UInt8>) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
            length += scalar.count
        }
        return length
    }
}
