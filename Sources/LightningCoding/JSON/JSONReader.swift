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
