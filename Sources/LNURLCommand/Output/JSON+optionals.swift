import LightningCoding

extension JSONValue {
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    static func number(_ number: UInt64?) -> JSONValue { number.map { .unsigned($0) } ?? .null }

    static func hexadecimal(_ bytes: [UInt8]?) -> JSONValue { text(bytes.map { Hexadecimal.encode($0) }) }
}

extension JSONObject {
    /// Adds the members of another object at the end.
    mutating func append(_ other: JSONObject) {
        for member in other.members { append(member.key, member.value) }
    }
}
