import EmbeddedNode
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
import Waiting
@testable import ResponderCore

@Suite("The deadline of a notification", .timeLimit(.minutes(5)))
struct DeadlineTests {
    typealias Notified = NotificationFixture

    /// A node that never answers and ignores cancellation.
    private func hanging(_ fixture: Notified) -> StubNode {
        StubNode(fixture.fixture.node) {
            $0.limitsNow = { () async throws(BackendFault) -> ReceiveLimits in
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                throw .timedOut
            }
            $0.move = { _ async throws(BackendFault) -> PaymentHash? in
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                throw .timedOut
            }
        }
    }

    @Test("holds even if a node hangs: an LNURL payer gets an error", arguments: [true, false])
    func payers(info: Bool) async throws {
        let fixture = try await Notified()
        let responder = try await fixture.notified(in: hanging(fixture))
        async let handled = fixture.handle(info ? Notified.info() : Notified.invoice("1000"), by: responder)
        try await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(by: .seconds(20))
        let answer = try await handled
        #expect(
            answer.text8 == #"{"status":"ERROR","reason":"Temporarily unavailable; please try again later"}"#)
        #expect(answer.record.outcome == .outOfTime)
        #expect(answer.record.steps.last == EventRecord.Step("answer", milliseconds: 20_000))
        #expect(answer.text?.title == "Receive Payment Failed")
    }

    @Test("holds when no reply is expected")
    func swaps() async throws {
        let fixture = try await Notified()
        let responder = try await fixture.notified(in: hanging(fixture))
        async let handled = fixture.handle(
            #"{"event":"swap.update","data":{"id":"ab","status":"transaction.mempool"}}"#, by: responder)
        try await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(by: .seconds(20))
        let answer = try await handled
        #expect(answer.silence == .outOfTime)
        #expect(
            answer.text
                == NotificationText(
                    title: "Payment Pending", body: "Tap to complete payment", lifetime: .dismissible))
    }

    @Test("that has already passed means nothing is done")
    func passed() async throws {
        let fixture = try await Notified()
        let notification = try NotificationReader().read(Array(Notified.info().utf8))
        let responder = try await fixture.notified(in: hanging(fixture))
        let handled = await responder.handle(notification, for: try fixture.fixture.alice(), until: fixture.clock.now)
        #expect(handled.record.outcome == .outOfTime)
    }

    @Test("that passed because a node hung does not block the same request later")
    func again() async throws {
        let fixture = try await Notified()
        let asked = Guarded(0)
        let node = fixture.fixture.node
        let responder = try await fixture.notified(
            in: StubNode(node) {
                $0.make = { order async throws(BackendFault) -> BackendInvoice in
                    let isFirst = asked.withLock { asked in
                        asked += 1
                        return asked == 1
                    }
                    if isFirst { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
                    return try await node.createInvoice(order)
                }
            })
        async let first = fixture.handle(Notified.invoice("1000"), by: responder)
        try await eventually { asked.withLock { $0 } > 0 }
        try await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(by: .seconds(20))
        #expect(try await first.record.outcome == .outOfTime)
        #expect(try await fixture.handle(Notified.invoice("1000"), by: responder).json["pr"] != nil)
    }

    @Test("cancels the work")
    func canceled() async throws {
        let fixture = try await Notified()
        let handler: NotificationHandler = { _, _, deadline in
            try? await fixture.clock.clock.sleep(deadline + .seconds(1))
            return .done()
        }
        let responder = try await fixture.notified(handlers: [NotificationType(rawValue: "own"): handler])
        async let handled = fixture.handle(#"{"event":"own","data":{}}"#, by: responder)
        try await fixture.clock.waitForSleepers(2)
        fixture.clock.advance(by: .seconds(20))
        #expect(try await handled.silence == .outOfTime)
    }

    @Test(
        "of a resumed notification is that of its acceptance, and at most the usual time from now",
        arguments: [(left: 5, answer: 3_750), (19, 14_250), (100, 15_000)])
    func resumed(left: UInt64, answer: Int64) async throws {
        let fixture = try await Notified()
        let deadlines = Guarded<[MonotonicTime]>([])
        let handler: NotificationHandler = { _, _, deadline in
            deadlines.withLock { $0.append(deadline) }
            return .done()
        }
        let ledger = fixture.fixture.ledger
        let processor = NotificationProcessor(
            try await fixture.notified(handlers: [NotificationType(rawValue: "own"): handler]),
            sender: try ReplySender(), ledger: ledger, clock: fixture.clock.clock)
        let now = fixture.fixture.now
        let accepted = AcceptedNotifications(
            reader: NotificationReader(), processor: processor, queue: NotificationQueue(),
            instance: try #require(InstanceID("pay1")), time: .seconds(20), clock: fixture.clock.clock,
            wallClock: { now }, resumed: { _ in })
        let job = try NotificationJob(Array(#"{"event":"own","data":{}}"#.utf8), for: fixture.fixture.alice())
        let work = OutboxWork(job, at: now, dueAt: now, deadline: now.adding(seconds: left))
        #expect(await accepted.carryOut(job, work) == .recorded)
        #expect(deadlines.withLock { $0 } == [fixture.clock.now + .milliseconds(answer)])
    }
}
