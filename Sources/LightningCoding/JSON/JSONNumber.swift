/// A JSON number as written, without loss of digits.
public struct JSONNumber: Hashable, Sendable {
    /// The number's text (RFC 8259, section 6).
    public let literal: String

    /// An unsigned integer.
    public init(_ value: UInt64) {
        literal = String(value)
    }

    /// A signed integer.
    public init(_ value: Int64) {
        literal = String(value)
    }

    /// A literal that the reader has validated.
    init(checkedLiteral literal: String) {
        self.literal = literal
    }

    /// The number if it is written as an integer from 0 to 2^64-1: `1000`, but not `1000.0`, `1e3` or `-0`.
    public var uint64: UInt64? {
        literal.utf8.first == UInt8(ascii: "-") ? nil : UInt64(literal)
    }

    /// The number if it is written as an integer from -2^63 to 2^63-1.
    public var int64: Int64? {
        Int64(literal)
    }
}
