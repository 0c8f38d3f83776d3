import Bolt12
import LightningCoding
import Testing

@Suite("The string form", .timeLimit(.minutes(5)))
struct TextTests {
    @Test("Each document has its own prefix", arguments: Bolt12Text.Kind.allCases)
    func prefixes(kind: Bolt12Text.Kind) throws {
        let text = Bolt12Text.encode([1, 2, 3], as: kind)
        #expect(text.hasPrefix(kind.rawValue + "1"))
        for other in Bolt12Text.Kind.allCases where other != kind {
            #expect(throws: RecordFault.wrongPrefix(expected: other.rawValue)) {
                try Bolt12Text.decode(text, as: other)
            }
        }
        #expect(try Bolt12Text.decode(text, as: kind) == [1, 2, 3])
    }

    @Test("A + joins what stands before and after it, white space with it", arguments: ["+", "+ ", "+\r\n\t "])
    func continuation(separator: String) throws {
        let text = Bolt12Text.encode([1, 2, 3], as: .offer)
        #expect(try Bolt12Text.decode(text.prefix(6) + separator + text.dropFirst(6), as: .offer) == [1, 2, 3])
        #expect(throws: RecordFault.text(CodingFault(.invalidContinuation, at: 9))) {
            try Bolt12Text.decode(text + separator, as: .offer)
        }
    }

    @Test("A text of the greatest length is read, a longer one refused")
    func length() throws {
        let fits = "lno1" + String(repeating: "q", count: Bolt12Text.maximumLength - 4)
        #expect(try Bolt12Text.decode(fits, as: .offer).count == (Bolt12Text.maximumLength - 4) * 5 / 8)
        #expect(throws: RecordFault.text(CodingFault(.tooLong, at: Bolt12Text.maximumLength))) {
            try Bolt12Text.decode(fits + "q", as: .offer)
        }
    }
}
