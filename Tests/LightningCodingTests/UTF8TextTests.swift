import LightningCoding
import Testing

@Suite("UTF-8", .timeLimit(.minutes(5)))
struct UTF8TextTests {
    @Test("Valid bytes are text")
    func valid() throws {
        #expect(try UTF8Text.string([]) == "")
        #expect(try UTF8Text.string([0x61, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]) == "aé😀")
    }

    @Test(
        "The first byte that belongs to no scalar is named",
        arguments: [
            ([0x61, 0xff], 1), ([0xc3, 0xa9, 0xc3], 2), ([0x61, 0xed, 0xa0, 0x80], 1), ([0xc0, 0x80], 0),
            ([0xf4, 0x90, 0x80, 0x80], 0), ([0x80], 0),
        ] as [([UInt8], Int)])
    func refused(bytes: [UInt8], offset: Int) {
        #expect(throws: CodingFault(.invalidUTF8, at: offset)) { try UTF8Text.string(bytes) }
    }
}
