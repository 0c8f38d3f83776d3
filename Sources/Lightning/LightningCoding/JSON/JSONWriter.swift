extension JSONValue {
    /// The value without white space: the same value always gives the same bytes.
    public func serialized() -> String {
        String(decoding: serializedBytes(), as: UTF8.self)
    }

    /// The value; if `pretty`, with one member per line, indented by two spaces.
    public func serialized(pretty: Bool) -> String {
        guard pretty else { return serialized() }
        var writer = JSONWriter()
        writer.write(self, indentation: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The UTF-8 bytes of `serialized()`.
    public func serializedBytes() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self, indentation: nil)
        return writer.bytes
    }
}

/// Writes JSON: raw UTF-8, `/` unescaped, control characters escaped, members in order.
private struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(512)
    }

    /// Writes a value, on one line when `indentation` is nil.
    mutating func write(_ value: JSONValue, indentation: Int?) {
        switch value {
        case .null: write("null")
        case .bool(let value): write(value ? "true" : "false")
        case .number(let number): bytes.append(contentsOf: number.literal.utf8)
        case .string(let text): write(quoted: text)
        case .array(let elements):
            writeList(elements, between: "[", and: "]", indentation: indentation) { writer, element, indentation in
                writer.write(element, indentation: indentation)
            }
        case .object(let object):
            writeList(object.members, between: "{", and: "}", indentation: indentation) { writer, member, indentation in
                writer.write(quoted: member.key)
                writer.write(indentation == nil ? ":" : ": ")
                writer.write(member.value, indentation: indentation)
            }
        }
    }

    private mutating func writeList<Item>(
        _ items: [Item], between start: StaticString, and end: StaticString, indentation: Int?,
        item: (inout JSONWriter, Item, Int?) -> Void
    ) {
        write(start)
        let inner = indentation.map { $0 + 1 }
        for index in items.indices {
            if index > 0 { write(",") }
            startLine(inner)
            item(&self, items[index], inner)
        }
        if !items.isEmpty { startLine(indentation) }
        write(end)
    }

    private mutating func startLine(_ indentation: Int?) {
        guard let indentation else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indentation))
    }

    private mutating func write(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if Self.needsEscape(byte) { write(escaped: byte) } else { bytes.append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func write(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write("\\\"")
        case UInt8(ascii: "\\"): write("\\\\")
        case 0x08: write("\\b")
        case 0x0c: write("\\f")
        case 0x0a: write("\\n")
        case 0x0d: write("\\r")
        case 0x09: write("\\t")
        default:
            write("\\u00")
            bytes.append(contentsOf: Hexadecimal.encode(CollectionOfOne(byte)).utf8)
        }
    }
}
