import LightningCoding
import Testing

@Suite("Hexadecimal", .timeLimit(.minutes(5)))
struct HexadecimalTests {
    @Test("Every byte is written with two lower-case digits and read back")
    func everyByte() throws {
        let bytes = (0...255).map { UInt8($0) }
        let text = Hexadecimal.encode(bytes)
        #expect(text.count == 512)
        #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
        #expect(text.hasSuffix("fcfdfeff"))
        #expect(try Hexadecimal.decode(text) == bytes)
        #expect(try Hexadecimal.decode(text.uppercased()) == bytes)
        #expect(try Hexadecimal.decode("").isEmpty)
    }

    @Test(
        "What is not pairs of digits is refused where it stands",
        arguments: [
            ("0", CodingFault(.oddLength, at: 1)), ("abc", CodingFault(.oddLength, at: 3)),
            ("0g", CodingFault(.invalidCharacter, at: 1)), ("/0", CodingFault(.invalidCharacter, at: 0)),
            (":0", CodingFault(.invalidCharacter, at: 0)), ("0x12", CodingFault(.invalidCharacter, at: 1)),
            ("00@0", CodingFault(.invalidCharacter, at: 2)), ("00`0", CodingFault(.invalidCharacter, at: 2)),
            (" 0", CodingFault(.invalidCharacter, at: 0)), ("é", CodingFault(.invalidCharacter, at: 0)),
        ])
    func refused(text: String, fault: CodingFault) {
        #expect(throws: fault) { try Hexadecimal.decode(text) }
    }
}
