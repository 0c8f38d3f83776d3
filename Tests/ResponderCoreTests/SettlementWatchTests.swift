import Platform
import Testing
@testable import ResponderCore

@Suite("Whether nodes report their payments", .timeLimit(.minutes(5)))
struct SettlementWatchTests {
    private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(sinceStart: .seconds(seconds)) }

    @Test("A stream that has never broken works")
    func untouched() {
        #expect(StreamRecord().isWorking(at: at(0)))
    }

    @Test("After a break, a stream works only once it has stayed open for two seconds")
    func breaks() {
        var stream = StreamRecord()
        _ = stream.hasBroken(at: at(10))
        #expect(!stream.isWorking(at: at(10)))
        #expect(!stream.isWorking(at: at(1000)))
        _ = stream.hasOpened(at: at(1000))
        #expect(!stream.isWorking(at: at(1001.9)))
        #expect(stream.isWorking(at: at(1002)))
    }

    @Test("A stream that breaks repeatedly after a while does not count as working in between")
    func breaksLater() {
        var stream = StreamRecord()
        for number in 0..<5 {
            let start = Double(number) * 20
            _ = stream.hasBroken(at: at(start))
            _ = stream.hasOpened(at: at(start + 5))
        }
        // It last stayed open for 15 seconds.
        #expect(!stream.isWorking(at: at(114)))
        #expect(stream.isWorking(at: at(115)))
    }

    @Test("A payment shows that the stream works")
    func told() {
        var stream = StreamRecord()
        _ = stream.hasBroken(at: at(1))
        _ = stream.hasOpened(at: at(2))
        stream.reported()
        #expect(stream.isWorking(at: at(2)))
    }

    @Test(
        "The first break is logged at once, later ones once a minute, and recovery only after a logged break"
    )
    func notices() {
        var stream = StreamRecord()
        var breaks = [stream.hasBroken(at: at(0))]
        var returns = [stream.hasOpened(at: at(0.5))]
        for second in 1...60 {
            breaks.append(stream.hasBroken(at: at(Double(second))))
            returns.append(stream.hasOpened(at: at(Double(second) + 0.5)))
        }
        #expect(breaks == [1] + Array(repeating: nil, count: 59) + [60])
        #expect(returns == [true] + Array(repeating: false, count: 59) + [true])
    }

    @Test("Whether the ledger broke a stream is known, until the node does")
    func brokenByLedger() {
        var stream = StreamRecord()
        _ = stream.hasBroken(at: at(10), byLedger: true)
        #expect(stream.wasBrokenByLedger)
        _ = stream.hasBroken(at: at(20))
        #expect(!stream.wasBrokenByLedger)
    }
}
