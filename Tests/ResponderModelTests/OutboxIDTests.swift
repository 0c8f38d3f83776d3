import ResponderModel
import Testing

@Suite("Ids of work in the outbox", .timeLimit(.minutes(5)))
struct OutboxIDTests {
    @Test("have 1 to 128 characters", arguments: [(0, false), (1, true), (128, true), (129, false)])
    func length(count: Int, isValid: Bool) {
        #expect((OutboxID(String(repeating: "a", count: count)) != nil) == isValid)
    }

    @Test(
        "have lower-case letters, digits, - and _",
        arguments: [("az09-_", true), ("A", false), ("a b", false), ("a/b", false), ("\u{e9}", false)])
    func letters(text: String, isValid: Bool) {
        #expect(OutboxID(text)?.text == (isValid ? text : nil))
    }
}
