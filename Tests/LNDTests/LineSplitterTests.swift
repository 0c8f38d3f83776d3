import Testing

@testable import LND

@Suite("Lines of a stream", .timeLimit(.minutes(2)))
struct LineSplitterTests {
    private func lines(_ pieces: [String], limit: Int = 10) throws -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines: [String] = []
        for piece in pieces {
            splitter.append(Array(piece.utf8))
            while let line = try splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        return lines
    }

    @Test("However the bytes are split, the lines are the same; empty ones are skipped")
    func cuts() throws {
        let text = "one\n\ntwo\nthree\nrest"
        #expect(try lines([text]) == ["one", "two", "three"])
        #expect(try lines(text.map { String($0) }) == ["one", "two", "three"])
        for cut in 0...text.utf8.count {
            #expect(try lines([String(text.prefix(cut)), String(text.dropFirst(cut))]) == ["one", "two", "three"])
        }
    }

    @Test("A line may be as long as the limit and no longer, complete or not")
    func limit() throws {
        #expect(try lines(["0123456789\n"]) == ["0123456789"])
        #expect(throws: LineSplitter.TooLong.self) { try lines(["0123456789a\n"]) }
        #expect(throws: LineSplitter.TooLong.self) { try lines(["01234", "56789a"]) }
        #expect(try lines(["a\n0123456789"]) == ["a"])
    }
}
