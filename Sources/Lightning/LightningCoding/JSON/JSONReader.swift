/// Reads JSON (RFC 8259) from outside: bounded in size, depth and members, without extensions.
struct JSONReader {
    let bytes: [UInt8]
    var position = 0
    private let limits: JSONLimits
    private var depth = 0
    private var memberCount = 0

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func readDocument() throws(JSONFault) -> JSONValue {
        let value = try readValue()
        skipWhiteSpace()
        guard position == bytes.count else { throw JSONFault(.trailing, at: position) }
        return value
    }

    /// The current byte. Throws `unexpectedEnd`.
    func peek() throws(JSONFault) -> UInt8 {
        guard position < bytes.count else { throw JSONFault(.unexpectedEnd, at: position) }
        return bytes[position]
    }

    /// The current byte; advances. Throws `unexpectedEnd`.
    mutating func next() throws(JSONFault) -> UInt8 {
        defer { position += 1 }
        return try peek()
    }

    private mutating func readValue() throws(JSONFault) -> JSONValue {
        skipWhiteSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try readObject())
        case UInt8(ascii: "["): return .array(try readArray())
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        default: throw JSONFault(.unexpectedByte, at: position)
        }
    }

    private mutating func readObject() throws(JSONFault) -> JSONObject {
        var members: [JSONObject.Member] = []
        var keys: Set<ExactText> = []
        try readList(closedBy: UInt8(ascii: "}")) { (reader) throws(JSONFault) in
            let start = reader.position
            guard try reader.peek() == UInt8(ascii: "\"") else { throw JSONFault(.unexpectedByte, at: start) }
            let key = try reader.readString()
            guard keys.insert(ExactText(key)).inserted else { throw JSONFault(.duplicateKey, at: start) }
            reader.skipWhiteSpace()
            try reader.expect(UInt8(ascii: ":"))
            members.append(JSONObject.Member(key: key, value: try reader.readValue()))
        }
        return JSONObject(distinctMembers: members)
    }

    private mutating func readArray() throws(JSONFault) -> [JSONValue] {
        var elements: [JSONValue] = []
        try readList(closedBy: UInt8(ascii: "]")) { (reader) throws(JSONFault) in
            elements.append(try reader.readValue())
        }
        return elements
    }

    /// Reads from opening to closing bracket, with commas between items.
    private mutating func readList(
        closedBy end: UInt8, item: (inout JSONReader) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: position) }
        depth += 1
        defer { depth -= 1 }
        position += 1
        skipWhiteSpace()
        if try peek() == end {
            position += 1
            return
        }
        while true {
            skipWhiteSpace()
            guard memberCount < limits.maximumMembers else { throw JSONFault(.tooManyMembers, at: position) }
            memberCount += 1
            try item(&self)
            skipWhiteSpace()
            if try peek() == end {
                position += 1
                return
            }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for byte in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) { try expect(byte) }
        return value
    }

    private mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard try peek() == byte else { throw JSONFault(.unexpectedByte, at: position) }
        position += 1
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    private mutating func readNumber() throws(JSONFault) -> JSONNumber {
        let start = position
        skip(UInt8(ascii: "-"))
        let firstDigit = position
        let wholeDigits = skipDigits()
        guard wholeDigits > 0, wholeDigits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw JSONFault(.invalidNumber, at: start)
        }
        if skip(UInt8(ascii: ".")), skipDigits() == 0 { throw JSONFault(.invalidNumber, at: start) }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            guard skipDigits() > 0 else { throw JSONFault(.invalidNumber, at: start) }
        }
        return JSONNumber(checkedLiteral: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position - start
    }
}

extension JSONReader {
    /// Reads a string from its opening quote to its closing one.
    mutating func readString() throws(JSONFault) -> String {
        position += 1
        let start = position
        var unescaped: [UInt8]?
        while true {
            switch try next() {
            case UInt8(ascii: "\""):
                return try text(unescaped?[...] ?? bytes[start..<position - 1], at: start)
            case UInt8(ascii: "\\"):
                var buffer = unescaped ?? Array(bytes[start..<position - 1])
                unescaped = nil
                try readEscape(into: &buffer)
                unescaped = buffer
            case 0..<0x20:
                throw JSONFault(.unexpectedByte, at: position - 1)
            case let byte:
                unescaped?.append(byte)
            }
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONFault(.invalidUTF8, at: start) }
        return text
    }

    private mutating func readEscape(into buffer: inout [UInt8]) throws(JSONFault) {
        let start = position - 1
        switch try next() {
        case UInt8(ascii: "\""): buffer.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): buffer.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): buffer.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0c)
        case UInt8(ascii: "n"): buffer.append(0x0a)
        case UInt8(ascii: "r"): buffer.append(0x0d)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: String(try readScalar(from: start)).utf8)
        default: throw JSONFault(.invalidEscape, at: start)
        }
    }

    /// A scalar from one `\uXXXX`, or from the two of a surrogate pair; half a pair is invalid.
    private mutating func readScalar(from start: Int) throws(JSONFault) -> Unicode.Scalar {
        var value = try readCodeUnit(from: start)
        if (0xd800..<0xdc00).contains(value) {
            guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else {
                throw JSONFault(.invalidEscape, at: start)
            }
            let low = try readCodeUnit(from: start)
            guard (0xdc00..<0xe000).contains(low) else { throw JSONFault(.invalidEscape, at: start) }
            value = 0x10000 + (value - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw JSONFault(.invalidEscape, at: start) }
        return scalar
    }

    private mutating func readCodeUnit(from start: Int) throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.digit(try next()) else { throw JSONFault(.invalidEscape, at: start) }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
