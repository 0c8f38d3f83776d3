import LightningCoding
import Testing
import Waiting

@Suite("Text from outside is compared as bytes", .timeLimit(.minutes(5)))
struct ExactTextTests {
    private let composed = "\u{e9}"
    private let decomposed = "e\u{301}"

    @Test("Texts of other bytes are other texts, however they look")
    func bytes() {
        #expect(composed == decomposed)
        #expect(ExactText(composed) != ExactText(decomposed))
        #expect(ExactText(composed) == ExactText(Substring("\u{e9}")))
        #expect(Set([ExactText(composed), ExactText(decomposed), ExactText(composed)]).count == 2)
        #expect(!"ab".isExactly("abc") && "abc".isExactly("abc") && "".isExactly(""))
        #expect("abc".begins(with: "ab") && "a".begins(with: "") && !"a".begins(with: "ab"))
        // A mark makes another character of the letter before it, and no other bytes.
        #expect("ab\u{301}".begins(with: "ab") && !"ab\u{301}".hasPrefix("ab"))
    }

    @Test("Only letters of ASCII are folded")
    func lowerCase() {
        #expect("AZaz09[`{@".lowercasedASCII == "azaz09[`{@")
        #expect("\u{212a}\u{c9}".lowercasedASCII.isExactly("\u{212a}\u{c9}"))
        #expect("\u{212a}".lowercased() == "k")
    }

    private enum Word: String, CaseIterable {
        case tea
        case coffee = "caf\u{e9}"
    }

    @Test("A case of an enum is found by the bytes of its name")
    func cases() {
        #expect(Word(exactly: "tea") == .tea && Word(exactly: "caf\u{e9}") == .coffee)
        #expect(Word(exactly: "cafe\u{301}") == nil && Word(exactly: "Tea") == nil && Word(exactly: "") == nil)
        #expect(Word(rawValue: "cafe\u{301}") == .coffee)
    }

    @Test("Keys of other bytes are other members of an object, and no duplicates")
    func members() throws {
        var object = try #require(
            try JSONValue(parsing: #"{"\u00e9":1,"e\u0301":2}"#).object)
        #expect(object.members.map(\.value) == [1, 2])
        #expect(object[composed] == 1 && object[decomposed] == 2)
        object[decomposed] = 3
        #expect(object.members.count == 2 && object[composed] == 1 && object[decomposed] == 3)
        object[composed] = nil
        #expect(object.members.count == 1 && object[decomposed] == 3)
        #expect(throws: JSONFault(.duplicateKey, at: 12)) {
            try JSONValue(parsing: #"{"\u00e9":1,"\u00e9":2}"#)
        }
        #expect(JSONValue.string(composed) != .string(decomposed))
        #expect(JSONValue.object([composed: 1]) != .object([decomposed: 1]))
        #expect(Set<JSONValue>([.string(composed), .string(decomposed)]).count == 2)
    }

    private static let size = 7_993

    /// Two keys that differ in their last byte alone.
    private static func body(_ key: String) -> [UInt8] { Array("{\"\(key)a\":1,\"\(key)b\":2}".utf8) }

    @Test("The worst body of 16 kB costs no more than four times as much as a plain one")
    func budget() throws {
        let (costly, plain) = (Self.body(CostlyText.marks(Self.size)), Self.body(CostlyText.plain(Self.size)))
        #expect(costly.count == plain.count && costly.count > 15_990)
        func read(_ body: [UInt8]) throws {
            let value = try JSONValue(parsing: body)
            for key in ["amount", "comment", "payerdata", "x"] { #expect(value[key] == nil) }
        }
        #expect(try costs(of: { try read(costly) }, comparedWith: { try read(plain) }) < 4)
        // What is measured is what it is about: the standard library's own comparison costs far more.
        func keys(_ key: String) -> [String] { ["a", "b"].map { key + $0 } }
        let (costlyKeys, plainKeys) = (keys(CostlyText.marks(Self.size)), keys(CostlyText.plain(Self.size)))
        #expect(costs(of: { _ = Set(costlyKeys) }, comparedWith: { _ = Set(plainKeys) }) > 4)
    }
}
