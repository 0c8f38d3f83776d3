import Platform
import Testing

@testable import OnionPeer

@Suite("Events of the last minute", .timeLimit(.minutes(5)))
struct MinuteCountTests {
    @Test("It counts, expires after a minute, and counts again after hours")
    func counting() {
        let start = MonotonicTime.now
        var count = MinuteCount(at: start)
        for second in 0..<60 { count.add(at: start + .seconds(second)) }
        #expect(count.count(at: start + .seconds(59)) == 60)
        #expect(count.count(at: start + .seconds(60)) == 50)
        #expect(count.count(at: start + .seconds(109)) == 10)
        #expect(count.count(at: start + .seconds(110)) == 0)
        count.add(at: start + .seconds(100_000))
        #expect(count.count(at: start + .seconds(100_001)) == 1)
        // Reading the clock slightly out of order does no harm.
        count.add(at: start + .seconds(99_000))
        #expect(count.count(at: start + .seconds(100_001)) == 2)
    }
}
