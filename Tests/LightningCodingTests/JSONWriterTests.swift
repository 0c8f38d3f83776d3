import LightningCoding
import Testing

@Suite("Writing JSON", .timeLimit(.minutes(5)))
struct JSONWriterTests {
    private let value: JSONValue = [
        "b": [1, .unsigned(.max), .integer(-5), true, .null], "a": ["text": "é/😀", "empty": [:], "none": []],
    ]

    @Test("Compact text keeps the order of members and every digit")
    func compact() throws {
        let text = #"{"b":[1,18446744073709551615,-5,true,null],"a":{"text":"é/😀","empty":{},"none":[]}}"#
        #expect(value.serialized() == text)
        #expect(value.serializedBytes() == Array(text.utf8))
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test("Only quotes, backslashes and control characters are escaped")
    func escapes() throws {
        let text = "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{2028}é"
        let written = #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7f}\u{2028}é\""
        #expect(JSONValue.string(text).serialized() == written)
        #expect(try JSONValue(parsing: written).string == text)
        #expect(JSONValue.object(["\n": 1]).serialized() == #"{"\n":1}"#)
    }

    @Test("A key of an object stands once, in the place where it was first put")
    func objects() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object.append("c", 4)
        object.append("b", 5)
        #expect(JSONValue.object(object).serialized() == #"{"a":3,"b":5,"c":4}"#)
        object["b"] = nil
        object["x"] = nil
        #expect(object.members.map(\.key) == ["a", "c"])
        #expect(object["c"] == 4)
        #expect(JSONObject().isEmpty)
        #expect((["a": 1, "a": 2] as JSONValue).serialized() == #"{"a":2}"#)
    }
}
