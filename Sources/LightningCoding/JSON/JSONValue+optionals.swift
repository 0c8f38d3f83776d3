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
