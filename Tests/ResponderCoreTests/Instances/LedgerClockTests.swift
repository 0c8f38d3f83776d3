import Bolt11
import LedgerRecords
import LNURL
import LightningCoding
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import ResponderCore

@Suite("The ledger's time", .timeLimit(.minutes(5)))
struct LedgerClockTests {
    private let folder = TemporaryFolder()
    private let wall = Guarded(Duration.seconds(1_800_000_000))
    private let passed = Guarded(Duration.zero)
    private let ahead = Guarded(Duration.zero)

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
        for step in [Duration.seconds(30), .seconds(-30), .seconds(7_776_000), .seconds(-7_776_000)] {
            wall.withLock { $0 += step }
            #expect(await !clock.isSteady())
            pass(.seconds(43_199))
            #expect(await !clock.isSteady())
            pass(.seconds(1))
            #expect(await clock.isSteady())
        }
        #expect(
            events.withLock { $0 }
                == [30, -30, 7_776_000, -7_776_000].map { .jumped(by: .seconds($0)) })
    }

    @Test("Nothing is deleted while the ledger fails")
    func failure() async throws {
        let isFailing = Guarded(false)
        let clock = LedgerClock(
            of: ServerTime(wall: wall, isFailing: isFailing), wall: { [wall] in wall.withLock { $0 } },
            monotonic: MonotonicClock(
                now: { [passed] in MonotonicTime(sinceStart: passed.withLock { $0 }) },
                sleep: { _ in throw CancellationError() }))
        #expect(await !clock.isSteady())
        pass(.seconds(600))
        #expect(await clock.isSteady())
        isFailing.withLock { $0 = true }
        #expect(await !clock.isSteady())
    }

    @Test("It is compared every three seconds until it is canceled, also while the ledger fails")
    func interval() async throws {
        let isFailing = Guarded(true)
        let questions = Guarded<[Duration]>([])
        let ledger = ServerTime(wall: wall, isFailing: isFailing) { [passed] in
            questions.withLock { $0.append(passed.withLock { $0 }) }
        }
        let clock = LedgerClock(
            of: ledger, wall: { .seconds(5) },
            monotonic: MonotonicClock(
                now: { [passed] in MonotonicTime(sinceStart: passed.withLock { $0 }) },
                sleep: { [passed] moment in
                    isFailing.withLock { $0 = false }
                    guard moment.sinceStart < .seconds(9) else { throw CancellationError() }
                    passed.withLock { $0 = moment.sinceStart }
                }))
        await clock.run()
        #expect(questions.withLock { $0 } == [.seconds(0), .seconds(3), .seconds(6)])
        #expect(clock.now == UnixTime(1_800_000_000))
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

    @Test(
        "The clock of the ledger's server counts; this machine's is told to be wrong from 2 s, and takes no payers from 30 s"
    )
    func deviation() async throws {
        let clock = LedgerClock(
            of: ServerTime(wall: wall), wall: { [wall, ahead] in wall.withLock { $0 } + ahead.withLock { $0 } },
            monotonic: MonotonicClock(
                now: { [passed] in MonotonicTime(sinceStart: passed.withLock { $0 }) },
                sleep: { _ in throw CancellationError() }))
        let events = Guarded<[LedgerClock.Event]>([])
        clock.report { event in events.withLock { $0.append(event) } }
        func told(_ deviation: Duration) async throws -> [LedgerClock.Event] {
            ahead.withLock { $0 = deviation }
            pass(.seconds(3))
            try await clock.compare()
            #expect(clock.now == UnixTime(UInt64(wall.withLock { $0 }.components.seconds)))
            return events.withLock { events in
                defer { events = [] }
                return events
            }
        }
        for sign in [1, -1] {
            #expect(try await told(.milliseconds(sign * 1_999)) == [])
            #expect(try await told(.seconds(sign * 2)) == [.deviates(by: .seconds(sign * 2))])
            #expect(try await told(.milliseconds(sign * 29_999)) == [])
            #expect(!clock.isWrong)
            #expect(try await told(.seconds(sign * 30)) == [.deviates(by: .seconds(sign * 30))])
            #expect(clock.isWrong)
            #expect(try await told(.seconds(sign * 7_200)) == [])
            #expect(try await told(.seconds(sign * 29)) == [.deviates(by: .seconds(sign * 29))])
            #expect(!clock.isWrong)
            #expect(try await told(.zero) == [.agrees])
        }
        // It was wrong already when the service was started.
        for (deviation, isTold) in [
            (Duration.milliseconds(1_999), false), (.seconds(2), true), (.seconds(7_200), true),
        ] {
            _ = try await told(deviation)
            clock.report { event in events.withLock { $0.append(event) } }
            #expect(events.withLock { $0 } == (isTold ? [.deviates(by: deviation)] : []))
        }
    }
}

@Suite("The clocks of nodes", .timeLimit(.minutes(5)))
struct NodeClockTests {
    private let clocks = NodeClocks()
    private let events = Guarded<[NodeClocks.Event]>([])

    private func told(_ time: UInt64) -> [NodeClocks.Event] {
        clocks.report { [events] event in events.withLock { $0.append(event) } }
        clocks.compare(UnixTime(time), of: .embedded, with: UnixTime(1_000)...UnixTime(1_005))
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    @Test("An invoice's time that is 2 s before the order or after the answer is told once, until it is right again")
    func deviation() {
        #expect(told(999) == [] && told(1_000) == [] && told(1_006) == [])
        #expect(told(1_007) == [.deviates(.embedded, by: .seconds(2))])
        #expect(told(8_000) == [])
        #expect(told(1_003) == [.agrees(.embedded)])
        #expect(told(998) == [.deviates(.embedded, by: .seconds(-2))])
        #expect(told(0) == [])
        #expect(told(1_000) == [.agrees(.embedded)])
        #expect(told(.max) == [.deviates(.embedded, by: .seconds(Int64.max))])
    }

    @Test("Every invoice is compared, also one that is refused since it has expired by its clock")
    func invoices() async throws {
        let fixture = try await Fixture()
        for (seconds, isPaid) in [(UInt64(5), true), (86_400, false)] {
            let responder = Responder(
                ledger: fixture.ledger, backends: [.embedded: fixture.node],
                settings: try await fixture.responder().settings,
                clock: { fixture.now.adding(seconds: seconds) })
            responder.nodeClocks.report { [events] event in events.withLock { $0.append(event) } }
            let answer = try? await responder.payInvoice(
                CallbackQuery(amount: Millisatoshi(1_000)), for: fixture.alice())
            #expect((answer != nil) == isPaid)
            #expect(
                events.withLock { $0.last } == .deviates(.embedded, by: .zero - .seconds(Int64(seconds))))
        }
    }

    @Test("An invoice is recorded at the ledger's time, but never before its own")
    func recordedTime() async throws {
        let fixture = try await Fixture()
        for (clock, recorded) in [(fixture.now.earlier(by: 5), fixture.now), (fixture.now.adding(seconds: 5), nil)] {
            let responder = Responder(
                ledger: fixture.ledger, backends: [.embedded: fixture.node],
                settings: try await fixture.responder().settings, clock: { clock })
            let answer = try await responder.payInvoice(
                CallbackQuery(amount: Millisatoshi(1_000)), for: fixture.alice())
            let hash = try UnverifiedBolt11Invoice(answer.pr).paymentHash
            #expect(try await fixture.ledger.invoice(hash)?.createdAt == recorded ?? clock)
        }
    }
}

/// A ledger that has nothing but a time.
private struct ServerTime: LeaseLedger {
    let wall: Guarded<Duration>
    var isFailing = Guarded(false)
    var isAsked: @Sendable () -> Void = {}

    func time() async throws(LedgerFault) -> Duration? {
        isAsked()
        guard isFailing.withLock({ !$0 }) else { throw .busy }
        return wall.withLock { $0 }
    }

    func register(_ instance: InstanceRecord, isAlone: Bool) async throws(LedgerFault) {}
    func heartbeat(of instance: InstanceRecord, forgettingAfter lifetime: UInt64?) async throws(LedgerFault) -> Int {
        1
    }
    func unregister(_ instance: InstanceID) async throws(LedgerFault) {}
    func instances() async throws(LedgerFault) -> [InstanceStatus] { [] }
    func lease(
        _ name: LeaseName, for instance: InstanceID, lasting seconds: UInt64
    ) async throws(LedgerFault) -> Lease? { nil }
    func release(_ lease: Lease) async throws(LedgerFault) {}
    func forgetKeys() async throws(LedgerFault) {}
}
