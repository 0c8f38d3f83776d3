import Platform
import Testing
import Waiting

@Suite("Lines of the log that repeat", .timeLimit(.minutes(5)))
struct RepeatedLinesTests {
    @Test("The first of a kind begins an interval, those within it are counted, and one without any is the last")
    func intervals() throws {
        var counts = RepetitionCount<String>()
        let fullBegun = counts.note("full")
        let full = try #require(fullBegun)
        #expect(full.kind == "full")
        for _ in 0..<1_000 { #expect(counts.note("full") == nil) }
        let busyBegun = counts.note("busy")
        let busy = try #require(busyBegun)
        #expect(counts.end(full) == 1_000)
        #expect(counts.note("full") == nil)
        #expect(counts.end(full) == 1)
        #expect(counts.end(full) == nil)
        #expect(counts.end(busy) == nil)
        #expect(counts.note("full") == full)
    }

    @Test("Kinds beyond the capacity share one count, and those that are told apart already stay so")
    func capacity() throws {
        var counts = RepetitionCount<Int>(capacity: 2)
        let oneBegun = counts.note(1)
        let one = try #require(oneBegun)
        #expect(counts.note(2)?.kind == 2)
        let othersBegun = counts.note(3)
        let others = try #require(othersBegun)
        #expect(others.kind == nil)
        for kind in 4..<1_000 { #expect(counts.note(kind) == nil) }
        #expect(counts.note(1) == nil)
        #expect(counts.end(others) == 996)
        #expect(counts.end(one) == 1)
        #expect(counts.end(others) == nil && counts.end(one) == nil)
        // Two kinds were told apart; one of them has gone.
        #expect(counts.note(5)?.kind == 5)
    }

    @Test(
        "A line is written at once, and its repetitions as one number when the minute is over", .timeLimit(.minutes(5)))
    func lines() async {
        let (minutes, minute) = AsyncStream<Void>.makeStream()
        let (written, write) = AsyncStream<Int>.makeStream()
        let lines = RepeatedLines<String>(pause: { for await _ in minutes { return } })
        var numbers = written.makeAsyncIterator()
        for _ in 0..<142_000 { lines.note("refused") { write.yield($0) } }
        #expect(await numbers.next() == 1)
        minute.yield()
        #expect(await numbers.next() == 141_999)
        lines.note("refused") { write.yield($0) }
        minute.yield()
        #expect(await numbers.next() == 1)
        write.finish()
        #expect(await numbers.next() == nil)
    }

    @Test("After a minute without repetitions nobody waits for another")
    func end() async throws {
        let (minutes, minute) = AsyncStream<Void>.makeStream()
        let kept: WeakReference
        do {
            let lines = RepeatedLines<String>(pause: { for await _ in minutes { return } })
            lines.note("refused") { _ in }
            kept = WeakReference(lines)
        }
        // The task that waits for the end of the minute.
        #expect(kept.object != nil)
        minute.yield()
        try await eventually { kept.object == nil }
    }
}

private final class WeakReference: Sendable {
    weak let object: RepeatedLines<String>?

    init(_ object: RepeatedLines<String>) { self.object = object }
}
