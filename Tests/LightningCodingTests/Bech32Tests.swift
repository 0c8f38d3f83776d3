import LightningCoding
import Testing

/// The published texts and their neighbors are in `Vectors/bech32`; here is what a file of vectors cannot say.
@Suite("Bech32", .timeLimit(.minutes(5)))
struct Bech32Tests {
    @Test("A fault stands at the character that breaks the rule")
    func offsets() {
        #expect(throws: CodingFault(.invalidCharacter, at: 2)) { try Bech32.decode("a1 2uel5l", checksum: .bech32) }
        #expect(throws: CodingFault(.invalidCharacter, at: 5)) { try Bech32.decode("a12uebl5l", checksum: .bech32) }
        #expect(throws: CodingFault(.mixedCase, at: 4)) { try Bech32.decode("a12uEl5l", checksum: .bech32) }
        #expect(throws: CodingFault(.badChecksum, at: 2)) { try Bech32.decode("a12uel5q", checksum: .bech32) }
        #expect(throws: CodingFault(.truncated, at: 7)) { try Bech32.decode("a12uel5", checksum: .bech32) }
        #expect(throws: CodingFault(.missingSeparator, at: 3)) { try Bech32.decode("abc", checksum: .bech32) }
        #expect(throws: CodingFault(.emptyHumanReadablePart, at: 0)) { try Bech32.decode("12uel5l", checksum: .bech32) }
        #expect(throws: CodingFault(.invalidContinuation, at: 5)) { try Bech32.decode("lno1q+", checksum: .none) }
        #expect(throws: CodingFault(.badPadding, at: 1)) { try Bech32.bytes(fromGroups: [0, 1]) }
        #expect(throws: CodingFault(.outOfRange, at: 1)) { try Bech32.bytes(fromGroups: [0, 32, 0]) }
    }

    @Test("A text of the maximum length is read, one character more is not")
    func maximumLength() throws {
        #expect(try Bech32.decode("a12uel5l", checksum: .bech32, maximumLength: 8).humanReadablePart == "a")
        #expect(throws: CodingFault(.tooLong, at: 7)) {
            try Bech32.decode("a12uel5l", checksum: .bech32, maximumLength: 7)
        }
    }

    @Test("Any single changed character of the data part is found")
    func singleErrors() {
        let text = Array("lnurl1dp68gurn8ghj7um9wfmxjcm99e5k7telwy7nxenrxvmrgdtzxsenjcm98pjnwxq96s9")
        #expect(throws: Never.self) { try Bech32.decode(String(text), checksum: .bech32) }
        for index in text.indices.dropFirst(6) {
            var changed = text
            changed[index] = changed[index] == "q" ? "p" : "q"
            #expect(throws: CodingFault(.badChecksum, at: text.count - 6)) {
                try Bech32.decode(String(changed), checksum: .bech32)
            }
        }
    }

    @Test("Bytes of any length survive the way to text and back", arguments: 0...41)
    func roundTrip(length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 7) }
        for checksum in [Bech32.Checksum.bech32, .none] {
            let text = Bech32.Text(humanReadablePart: "LnTest", groups: Bech32.groups(fromBytes: bytes))
            let written = Bech32.encode(text, checksum: checksum)
            #expect(written.hasPrefix("lntest1"))
            let read = try Bech32.decode(written, checksum: checksum)
            #expect(read == text)
            #expect(read.humanReadablePart == "lntest")
            #expect(try Bech32.bytes(fromGroups: read.groups[...]) == bytes)
            #expect(try Bech32.decode(written.uppercased(), checksum: checksum) == text)
        }
    }
}
