import LightningCoding
import Testing

@Suite("Reading JSON", .timeLimit(.minutes(5)))
struct JSONReaderTests {
    @Test("Every kind of value is read, with white space between")
    func values() throws {
        let value = try JSONValue(
            parsing: " {\"a\" : [ null , true,false ] ,\r\n\t\"b\":{ },\"c\":-1.5e+3,\"d\":\"\"} ")
        #expect(value["a"] == [.null, true, false])
        #expect(value["b"]?.object?.isEmpty == true)
        #expect(value["c"] == .number(try #require(JSONValue(parsing: "-1.5e+3").number)))
        #expect(value["d"]?.string == "")
        #expect(value["e"] == nil)
        #expect(value.object?.members.map(\.key) == ["a", "b", "c", "d"])
        #expect(try JSONValue(parsing: "[]").array == [])
        #expect(try JSONValue(parsing: "null").isNull)
    }

    @Test(
        "Integers of 64 bits are exact; other spellings are no integers",
        arguments: [
            ("0", 0, 0), ("1000", 1000, 1000), ("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_993),
            ("9223372036854775807", 9_223_372_036_854_775_807, Int64.max),
            ("9223372036854775808", 9_223_372_036_854_775_808, nil), ("18446744073709551615", UInt64.max, nil),
            ("18446744073709551616", nil, nil), ("-1", nil, -1), ("-9223372036854775808", nil, Int64.min),
            ("-9223372036854775809", nil, nil), ("-0", nil, 0), ("1000.0", nil, nil), ("1e3", nil, nil),
        ] as [(String, UInt64?, Int64?)])
    func integers(text: String, unsigned: UInt64?, signed: Int64?) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.uint64 == unsigned)
        #expect(value.int64 == signed)
        #expect(value.serialized() == text)
    }

    @Test(
        "Escapes are decoded",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""a\u0041b""#, "aAb"), (#""\u00e9\u00E9""#, "éé"),
            (#""\ud83d\ude00x""#, "😀x"), (#""\u0000""#, "\0"), (#""\uffff""#, "\u{ffff}"), ("\"é😀\u{7f}\"", "é😀\u{7f}"),
        ])
    func escapes(text: String, decoded: String) throws {
        #expect(try JSONValue(parsing: text).string == decoded)
    }

    @Test(
        "What RFC 8259 does not allow is refused where it stands",
        arguments: [
            ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("nul", .unexpectedEnd, 3), ("nulx", .unexpectedByte, 3),
            ("True", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0),
            ("\u{feff}1", .unexpectedByte, 0), ("1 2", .trailing, 2), ("nullx", .trailing, 4), ("{}}", .trailing, 2),
            ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
            ("[1,]", .unexpectedByte, 3),
            ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2),
            ("{\"a\"}", .unexpectedByte, 4), ("{\"a\":}", .unexpectedByte, 5), ("{\"a\":1,}", .unexpectedByte, 7),
            ("{a:1}", .unexpectedByte, 1), ("{1:1}", .unexpectedByte, 1), ("{\"a\":1 \"b\":2}", .unexpectedByte, 7),
            ("// x\n1", .unexpectedByte, 0), ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0),
            ("01", .invalidNumber, 0), ("-01", .invalidNumber, 0), ("-", .invalidNumber, 0), ("1.", .invalidNumber, 0),
            ("[1.e3]", .invalidNumber, 1), ("1e", .invalidNumber, 0), ("1e+", .invalidNumber, 0),
            ("0x10", .trailing, 1),
            ("\"", .unexpectedEnd, 1), ("\"a", .unexpectedEnd, 2), ("\"a\nb\"", .unexpectedByte, 2),
            ("\"\u{0}\"", .unexpectedByte, 1), ("\"\\", .unexpectedEnd, 2), ("\"\\x\"", .invalidEscape, 1),
            ("\"\\u12\"", .invalidEscape, 1), ("\"\\u12", .unexpectedEnd, 5), ("\"\\u+123\"", .invalidEscape, 1),
            ("\"a\\ud800\"", .invalidEscape, 2), ("\"\\ud800x\"", .invalidEscape, 1),
            ("\"\\ud800\\n\"", .invalidEscape, 1), ("\"\\ud800\\u0041\"", .invalidEscape, 1),
            ("\"\\udc00\"", .invalidEscape, 1), ("\"\\ud800\\ud800\"", .invalidEscape, 1),
            ("{\"a\":1,\"a\":2}", .duplicateKey, 7), ("{\"a\":1,\"\\u0061\":2}", .duplicateKey, 7),
        ] as [(String, JSONFault.Kind, Int)])
    func refused(text: String, kind: JSONFault.Kind, offset: Int) {
        #expect(throws: JSONFault(kind, at: offset)) { try JSONValue(parsing: text) }
    }

    @Test(
        "Strings that are not UTF-8 are refused",
        arguments: [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]
            as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONFault(.invalidUTF8, at: 1)) { try JSONValue(parsing: [quote] + bytes + [quote]) }
        let escaped = [quote] + Array("\\n".utf8) + bytes + [quote]
        #expect(throws: JSONFault(.invalidUTF8, at: 1)) { try JSONValue(parsing: escaped) }
        let key = Array("{\"a".utf8) + bytes + Array("\":1}".utf8)
        #expect(throws: JSONFault(.invalidUTF8, at: 2)) { try JSONValue(parsing: key) }
    }

    @Test("Depth, length and members are bounded, each to the last one")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: nested(32)) }
        #expect(throws: JSONFault(.tooDeep, at: 32)) { try JSONValue(parsing: nested(33)) }
        #expect(throws: JSONFault(.tooDeep, at: 32)) { try JSONValue(parsing: String(repeating: "[", count: 1 << 20)) }
        let small = JSONLimits(maximumBytes: 7, maximumDepth: 2, maximumMembers: 3)
        #expect(throws: Never.self) { try JSONValue(parsing: "[1,2,3]", limits: small) }
        #expect(throws: JSONFault(.tooLarge, at: 7)) { try JSONValue(parsing: "[1,2,3] ", limits: small) }
        let few = JSONLimits(maximumMembers: 3)
        #expect(throws: Never.self) { try JSONValue(parsing: #"{"a":[1,2]}"#, limits: few) }
        #expect(throws: JSONFault(.tooManyMembers, at: 10)) { try JSONValue(parsing: #"{"a":[1,2,3]}"#, limits: few) }
    }

    @Test("Siblings do not count as depth")
    func siblings() {
        let text = "[" + repeatElement("[[]]", count: 1000).joined(separator: ",") + "]"
        #expect(throws: Never.self) { try JSONValue(parsing: text, limits: JSONLimits(maximumDepth: 3)) }
    }
}

extension JSONValue {
    fileprivate var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }
}
