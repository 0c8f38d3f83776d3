extension JSONValue {
    /// The value without white space: the same value always gives the same bytes.
    public func serialized() -> String {
        String(decoding: serializedBytes(), as: UTF8.self)
    }

    /// The UTF-8 bytes of `serialized()`.
    public func serializedBytes() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }
}

/// Writes JSON: raw UTF-8, `/` unescaped, control characters escaped, members in order.
private struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(512)
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let number): bytes.append(contentsOf: number.literal.utf8)
        case .string(let text): write(quoted: text)
        case .array(let elements):
            append("[")
            for index in elements.indices {
                if index > 0 { append(",") }
                write(elements[index])
            }
            append("]")
        case .object(let object):
            append("{")
            for index in object.members.indices {
                if index > 0 { append(",") }
                write(quoted: object.members[index].key)
                append(":")
                write(object.members[index].value)
            }
            append("}")
        }
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var rest = utf8[...]
            while let index = rest.firstIndex(where: Self.needsEscape) {
                bytes.append(contentsOf: rest[..<index])
                write(escaped: utf8[index])
                rest = rest[(index + 1)...]
            }
            bytes.append(contentsOf: rest)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func write(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x0c: append("\\f")
        case 0x0a: append("\\n")
        case 0x0d: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            bytes.append(contentsOf: Hexadecimal.encode(CollectionOfOne(byte)).utf8)
        }
    }
}
