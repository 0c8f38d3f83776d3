import LightningCoding
import Testing

@Suite("Short channel ids", .timeLimit(.minutes(5)))
struct ShortChannelIDTests {
    @Test(
        "Text and number mean the same",
        arguments: [
            ("0x0x0", 0),
            ("539268x845x1", 0x083A_8400_034D_0001),
            ("16777215x16777215x65535", UInt64.max),
        ])
    func text(text: String, value: UInt64) throws {
        #expect(try ShortChannelID(text: text) == ShortChannelID(value))
        #expect("\(ShortChannelID(value))" == text)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            ("", CodingFault(.missingSeparator, at: 0)),
            ("1x2", CodingFault(.missingSeparator, at: 3)),
            ("1x2x3x4", CodingFault(.missingSeparator, at: 7)),
            ("x2x3", CodingFault(.invalidCharacter, at: 0)),
            ("1x+2x3", CodingFault(.invalidCharacter, at: 2)),
            ("1x2x3 ", CodingFault(.invalidCharacter, at: 4)),
            ("16777216x2x3", CodingFault(.outOfRange, at: 0)),
            ("1x16777216x3", CodingFault(.outOfRange, at: 2)),
            ("1x2x65536", CodingFault(.outOfRange, at: 4)),
            ("99999999999999999999x2x3", CodingFault(.outOfRange, at: 0)),
        ])
    func refused(text: String, fault: CodingFault) {
        #expect(throws: fault) { try ShortChannelID(text: text) }
    }

    @Test("They sort by block, then transaction, then output")
    func order() throws {
        let sorted = try ["1x1x1", "1x1x2", "1x2x0", "2x0x0"].map { try ShortChannelID(text: $0) }
        #expect(sorted.reversed().sorted() == sorted)
    }
}
