extension JSONValue {
    /// A string; `null` when there is none.
    public static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// An unsigned integer; `null` when there is none.
    public static func number(_ number: UInt64?) -> JSONValue { number.map { .unsigned($0) } ?? .null }

    /// Bytes as hexadecimal digits in lower case; `null` when there are none.
    public static func hexadecimal(_ bytes: (some Sequence<UInt8>)?) -> JSONValue {
        text(bytes.map { Hexadecimal.encode($0) })
    }
}

extension JSONObject {
    /// Puts the members of another object at the end, or their values in the places of those that the keys have.
    public mutating func append(_ other: JSONObject) {
        for member in other.members { append(member.key, member.value) }
    }
}
