import OutboundHTTP
import Testing

@Suite("Header fields", .timeLimit(.minutes(5)))
struct HTTPFieldTests {
    @Test(
        "A value with a line break, a control character or beyond ASCII is refused",
        arguments: [
            "a\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b", "a\u{7F}", "é",
        ])
    func badValue(value: String) {
        #expect(throws: HTTPFieldFault.invalidValue) { try HTTPField("X-A", value) }
    }

    @Test("A name that is not a token is refused", arguments: ["", "X A", "X-A:", "X\r\nY", "(", "é"])
    func badName(name: String) {
        #expect(throws: HTTPFieldFault.invalidName) { try HTTPField(name, "") }
    }

    @Test("Fields of message framing are refused in any case", arguments: ["Host", "content-length", "TE"])
    func framing(name: String) {
        #expect(throws: HTTPFieldFault.framingField) { try HTTPField(name, "1") }
    }

    @Test("Tabs, spaces and every visible character are allowed in a value")
    func goodValue() throws {
        let visible = String(decoding: Array(0x20...0x7E as ClosedRange<UInt8>), as: UTF8.self) + "\t"
        #expect(try HTTPField("X-A", visible).value == visible)
    }
}
