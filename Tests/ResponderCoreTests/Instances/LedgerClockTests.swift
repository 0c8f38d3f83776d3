import LightningCoding
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import ResponderCore

@Suite("The ledger's time", .timeLimit(.minutes(1)))
struct LedgerClockTests {
    private let folder = TemporaryFolder()
    private let wall = Guarded(Duration.seconds(1_800_000_000))
    private let passed = Guarded(Duration.zero)

    private func clock() async throws -> LedgerClock {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        return LedgerClock(
            of: ledger, wall: { [wall] in wall.withLock { $0 } },
            monotonic: MonotonicClock(
                now: { [passed] in MonotonicTime(sinceStart: passed.withLock { $0 }) },
                sleep: { _ in throw CancellationError() }))
    }

    private func pass(_ time: Duration) {
        wall.withLock { $0 += time }
        passed.withLock { $0 += time }
    }

    @Test("Nothing is deleted for ten minutes after a start, and for twelve hours after a jump, which is told once")
    func jump() async throws {
        let clock = try await clock()
        let events = Guarded<[LedgerClock.Event]>([])
        clock.report { event in events.withLock { $0.append(event) } }
        #expect(await !clock.isSteady())
        pass(.seconds(599))
        #expect(await !clock.isSteady())
        pass(.seconds(1))
        #expect(await clock.isSteady())
        // Set by less than the limit.
        wall.withLock { $0 += .seconds(29) }
        #expect(await clock.isSteady())
        for step in [Duration.seconds(7_776_000), .seconds(-7_776_000)] {
            wall.withLock { $0 += step }
            #expect(await !clock.isSteady())
            pass(.seconds(43_199))
            #expect(await !clock.isSteady())
            pass(.seconds(1))
            #expect(await clock.isSteady())
        }
        #expect(
            events.withLock { $0 } == [.jumped(by: .seconds(7_776_000)), .jumped(by: .seconds(-7_776_000))])
    }

    @Test("Between comparisons it goes on with the monotonic clock, whatever this machine's clock does")
    func monotonic() async throws {
        let clock = try await clock()
        try await clock.compare()
        let start = clock.now
        wall.withLock { $0 += .seconds(7_200) }
        #expect(clock.now == start)
        pass(.seconds(5))
        #expect(clock.now == start.adding(seconds: 5))
    }
}
