/// A JSON value (RFC 8259) that preserves 64-bit integers and the order of members.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number as written.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members in order.
    case object(JSONObject)

    /// Parses exactly one value, within limits.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default) throws(JSONFault) {
        guard bytes.count <= limits.maximumBytes else { throw JSONFault(.tooLarge, at: limits.maximumBytes) }
        var reader = JSONReader(Array(bytes), limits: limits)
        self = try reader.readDocument()
    }

    /// Parses exactly one value, within limits.
    public init(parsing text: String, limits: JSONLimits = .default) throws(JSONFault) {
        try self.init(parsing: text.utf8, limits: limits)
    }

    /// An unsigned integer.
    public static func unsigned(_ value: UInt64) -> JSONValue {
        .number(JSONNumber(value))
    }

    /// A signed integer.
    public static func integer(_ value: Int) -> JSONValue {
        .number(JSONNumber(Int64(value)))
    }

    /// A member of an object.
    public subscript(_ key: String) -> JSONValue? {
        object?[key]
    }

    /// The text, if it is a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value, if it is a boolean.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, if it is written as an integer from 0 to 2^64-1.
    public var uint64: UInt64? {
        if case .number(let value) = self { value.uint64 } else { nil }
    }

    /// The number, if it is written as an integer from -2^63 to 2^63-1.
    public var int64: Int64? {
        if case .number(let value) = self { value.int64 } else { nil }
    }

    /// The elements, if it is an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, if it is one.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether it is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension JSONValue {
    /// Whether both are equal; texts by their bytes, numbers as written, members in order.
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.isExactly(other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    /// Hashes the value; a text by its bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ExactText(value))
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    /// A text.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// A boolean.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// An integer.
    public init(integerLiteral value: Int64) {
        self = .number(JSONNumber(value))
    }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Values in order.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// Members in order; the last value of a duplicate key wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object.append(key, value) }
        self = .object(object)
    }
}

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

extension JSONValue {
    /// A string, or `null`.
    public static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// An unsigned integer, or `null`.
    public static func number(_ number: UInt64?) -> JSONValue { number.map { .unsigned($0) } ?? .null }

    /// Bytes in lower-case hexadecimal, or `null`.
    public static func hexadecimal(_ bytes: (some Sequence<UInt8>)?) -> JSONValue {
        text(bytes.map { Hexadecimal.encode($0) })
    }
}

extension JSONObject {
    /// Appends the members of another object, replacing the values of existing keys.
    public mutating func append(_ other: JSONObject) {
        for member in other.members { append(member.key, member.value) }
    }
}
