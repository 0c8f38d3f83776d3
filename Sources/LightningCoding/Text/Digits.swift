extension StringProtocol {
    /// Whether it is a non-empty string of ASCII digits: no sign, space or exponent.
    public var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }
}

extension UInt64 {
    /// A number written in ASCII digits only.
    public init?(digits text: some StringProtocol) {
        guard text.isDigits else { return nil }
        self.init(text)
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
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
