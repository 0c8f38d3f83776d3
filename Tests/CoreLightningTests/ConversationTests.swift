import Platform
import LightningCoding
import Testing

@testable import CoreLightning

@Suite("The protocol state of a connection", .timeLimit(.minutes(2)))
struct ConversationTests {
    private let begin = MonotonicTime.now
    private var conversation: Conversation<String>

    init() {
        var limits = CommandLimits()
        limits.maximumPending = 3
        conversation = Conversation(limits)
    }

    private mutating func submit(_ number: UInt64, for seconds: Int64 = 10) -> [String] {
        let command = Command(method: "m\(number)", timeout: .seconds(seconds))
        return told(conversation.submit(command, number, "\(number)", at: begin))
    }

    private mutating func take(_ text: String) -> [String] {
        told(conversation.take(Array(text.utf8)[...]))
    }

    private mutating func pass(_ seconds: Int64) -> [String] {
        told(conversation.pass(to: begin + .seconds(seconds)))
    }

    /// Which waiter got what.
    private func told(_ outcomes: [Conversation<String>.Outcome]) -> [String] {
        outcomes.map { outcome in
            switch outcome.answer {
            case .success(let value): "\(outcome.waiter): \(value.serialized())"
            case .failure(let fault): "\(outcome.waiter): \(fault)"
            }
        }
        .sorted()
    }

    @Test("Commands are sent in order, in pieces of any size")
    mutating func unsent() {
        _ = [submit(1), submit(2)]
        let whole = Array(conversation.unsent)
        let documents = try? { () throws in
            var splitter = DocumentSplitter(limits: JSONLimits())
            return try splitter.take(whole).map { try JSONValue(parsing: $0)["method"]?.string }
        }()
        conversation.sent(3)
        let rest = Array(conversation.unsent)
        conversation.sent(whole.count)
        let end = conversation.unsent
        #expect(documents == ["m1", "m2"])
        #expect(rest == Array(whole.dropFirst(3)))
        #expect(end.isEmpty)
    }

    @Test("A response in pieces reaches its waiter as soon as it is complete")
    mutating func answers() {
        _ = [submit(1), submit(2)]
        let told = [
            take(#"{"id":"responder:2","resu"#), take(#"lt":{"a":1}}{"id":"responder:1","error":{"code":7,"#),
            take(#""message":"m"}}"#),
        ]
        #expect(told == [[], [#"2: {"a":1}"#], [#"1: refused(code: 7, message: "m")"#]])
        #expect(conversation.nextDeadline == nil)
    }

    @Test("A command times out; a node that has sent nothing since then is abandoned")
    mutating func hanging() {
        _ = [submit(1, for: 10), submit(2, for: 20), submit(3, for: 30)]
        let first = conversation.nextDeadline
        let answered = take(#"{"id":"responder:3","result":{}}"#)
        let early = pass(9)
        let busy = pass(10)
        let second = conversation.nextDeadline
        let isOver = conversation.fault != nil
        _ = submit(4, for: 20)
        let silent = pass(20)
        #expect(first == begin + .seconds(10))
        #expect(answered == ["3: {}"])
        #expect(early == [])
        #expect(busy == ["1: timedOut"])
        #expect(second == begin + .seconds(20))
        #expect(!isOver)
        #expect(silent == ["2: timedOut", "4: timedOut"])
        #expect(conversation.fault == .timedOut)
    }

    @Test("When a node hangs, all its pending commands fail")
    mutating func everybody() {
        _ = [submit(1, for: 10), submit(2, for: 20)]
        let told = pass(10)
        let late = submit(3)
        #expect(told == ["1: timedOut", "2: timedOut"])
        #expect(late == ["3: timedOut"])
        #expect(conversation.unsent.isEmpty)
    }

    @Test("An abandoned command fails once, and its response is dropped")
    mutating func cancelled() {
        _ = submit(1)
        let told = [
            self.told(conversation.cancel(1)), self.told(conversation.cancel(1)), self.told(conversation.cancel(7)),
        ]
        let answered = take(#"{"id":"responder:1","result":{}}"#)
        #expect(told == [["1: cancelled"], [], []])
        #expect(answered == [])
        #expect(conversation.fault == nil)
        #expect(conversation.nextDeadline == nil)
    }

    @Test("Commands above the maximum are rejected and not sent")
    mutating func overload() {
        _ = [submit(1), submit(2), submit(3)]
        let before = conversation.unsent.count
        let told = submit(4)
        #expect(told == ["4: overloaded"])
        #expect(conversation.unsent.count == before)
    }

    @Test("The end of the connection within a response differs from the end between two")
    mutating func lost() {
        _ = submit(1)
        let told = self.told(conversation.lost())
        #expect(told == ["1: connectionLost"])
        var other = Conversation<String>(CommandLimits())
        _ = other.submit(Command(method: "m", timeout: .seconds(1)), 1, "1", at: begin)
        _ = other.take(Array("{".utf8)[...])
        _ = other.lost()
        #expect(other.fault == .malformed("an incomplete answer"))
    }

    @Test("After the end nothing has any effect")
    mutating func afterwards() {
        _ = submit(1)
        let closed = told(conversation.end(.closed))
        let answered = take(#"{"id":"responder:1","result":{}}"#)
        let again = told(conversation.end(.connectionLost))
        #expect(closed == ["1: closed"])
        #expect(answered == [] && again == [])
        #expect(conversation.fault == .closed)
    }
}
