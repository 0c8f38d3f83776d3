import LedgerRecords
import Bolt12
import EmbeddedNode
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
import Waiting

@testable import ResponderCore

@Suite("Up to when settlements were followed", .timeLimit(.minutes(5)))
struct FollowedSpanTests {
    private let fixture: Fixture
    private let node: FakeNodeBackend

    init() async throws {
        fixture = try await Fixture()
        node = FakeNodeBackend(fixture.node)
    }

    /// Follows until the body is done, which receives the invoices that are settled.
    private func following(
        _ ticks: TicksByHand, _ body: (inout AsyncStream<PaymentHash>.Iterator) async throws -> Void
    ) async throws {
        let settled = AsyncStream<PaymentHash>.makeStream()
        let follower = SettlementFollower(
            of: .embedded, node, in: fixture.ledger, knownNodes: KnownNodes(ledger: fixture.ledger),
            clock: { [fixture] in fixture.now }, tick: ticks.closure,
            report: { event in
                if case .settled(let invoice) = event { settled.continuation.yield(invoice.paymentHash) }
            })
        let lease = try await fixture.ledger.held(.following(.embedded))
        let task = Task { await follower.run(under: lease) }
        var iterator = settled.stream.makeAsyncIterator()
        try await body(&iterator)
        task.cancel()
        await task.value
    }

    @Test("An offer for one payment is not sold again before a backlog of the node's payments has been read")
    func backlog() async throws {
        let reports = ReportsByHand()
        node.stream.withLock { $0 = { _ in reports.stream } }
        let ticks = TicksByHand()
        let responder = try await fixture.responder(in: node)
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        terms.maximumPayments = 1
        let offer = try await responder.issueOffer(terms, for: fixture.alice()).offer
        func sell(_ number: UInt8) async throws -> PaymentHash {
            let request = try InvoiceRequestDraft(
                for: offer, metadata: [UInt8](repeating: number, count: 16), chain: ChainHash(.regtest)
            ).signed(by: SecretKey([UInt8](repeating: 3, count: 32)), auxiliaryRandom: nil)
            return try await responder.invoice(
                answering: request.stream.bytes, for: fixture.alice(), arrival: .forwarder
            ).paymentHash
        }
        func expectSold(_ number: UInt8) async throws {
            await #expect(throws: RequestRefusal.offerExhausted) { _ = try await sell(number) }
        }
        func tick() async throws {
            fixture.advance(seconds: 600)
            try await ticks.tick()
        }
        let stranger = try await fixture.node.createInvoice(
            InvoiceOrder(amount: Millisatoshi(5_000), description: .text("x"), expiry: 60, label: "stranger"))
        let other = try await fixture.node.settle(stranger.paymentHash, at: fixture.now)
        let first = try await sell(1)
        let end = try #require(try await fixture.ledger.invoice(first)).expiresAt
        // Paid at the last moment.
        fixture.time.withLock { $0 = UnixTime(end.seconds - 1) }
        let paid = try await fixture.node.settle(first, at: fixture.now)
        fixture.advance(seconds: 10_000)
        try await following(ticks) { events in
            try await eventually { ticks.begun == 1 }
            // The search for the first payment goes on.
            for number in UInt8(2)...3 {
                try await reports.give(.success(nil))
                try await tick()
                #expect(try await fixture.ledger.followedSpan(of: .embedded) == nil)
                try await expectSold(number)
            }
            // Earlier payments come.
            try await reports.give(.success(other))
            try await tick()
            #expect(try await fixture.ledger.followedSpan(of: .embedded) == nil)
            try await expectSold(4)
            try await reports.give(.success(paid))
            #expect(await events.next() == first)
            try await tick()
            try await tick()
            try await expectSold(5)
        }
    }

    @Test("While payments keep coming, one of a tick's first second shows that all earlier ones were read")
    func busy() async throws {
        let reports = ReportsByHand()
        node.stream.withLock { $0 = { _ in reports.stream } }
        let ticks = TicksByHand()
        try await following(ticks) { _ in
            try await eventually { ticks.begun == 1 }
            for (label, delay) in [("earlier", UInt64(1)), ("same", 0)] {
                #expect(try await fixture.ledger.followedSpan(of: .embedded) == nil)
                let stranger = try await fixture.node.createInvoice(
                    InvoiceOrder(amount: Millisatoshi(5_000), description: .text("x"), expiry: 60, label: label))
                let time = UnixTime(fixture.now.seconds - delay)
                let paid = try await fixture.node.settle(stranger.paymentHash, at: time)
                try await reports.give(.success(paid))
                if delay > 0 { fixture.advance(seconds: 600) }
                try await ticks.tick()
            }
            let now = fixture.now
            #expect(try await fixture.ledger.followedSpan(of: .embedded) == FollowedSpan(since: now, until: now))
        }
    }

    @Test("An offer whose invoice was not paid is sold again once the stream has brought nothing for a whole tick")
    func silence() async throws {
        let reports = ReportsByHand()
        node.stream.withLock { $0 = { _ in reports.stream } }
        let ticks = TicksByHand()
        try await following(ticks) { _ in
            try await eventually { ticks.begun == 1 }
            try await reports.give(.success(nil))
            let start = fixture.now
            fixture.advance(seconds: 600)
            try await ticks.tick()
            #expect(try await fixture.ledger.followedSpan(of: .embedded) == nil)
            fixture.advance(seconds: 600)
            try await ticks.tick()
            // Up to the beginning of the tick.
            let begin = start.adding(seconds: 600)
            #expect(
                try await fixture.ledger.followedSpan(of: .embedded) == FollowedSpan(since: begin, until: begin))
        }
    }
}

/// A stream whose reports the test gives.
private final class ReportsByHand: Sendable {
    private let given = AsyncStream<SettlementStream.Element>.makeStream()
    private let asked = Guarded(0)

    var stream: SettlementStream {
        AsyncThrowingStream { [given, asked] in
            asked.withLock { $0 += 1 }
            var iterator = given.stream.makeAsyncIterator()
            return await iterator.next()
        }
    }

    /// Gives one, and waits until it was worked off.
    func give(_ report: SettlementStream.Element) async throws {
        try await eventually { self.asked.withLock { $0 } > 0 }
        let before = asked.withLock { $0 }
        given.continuation.yield(report)
        try await eventually { self.asked.withLock { $0 } > before }
    }
}

/// Ticks that the test gives.
private final class TicksByHand: Sendable {
    private let given = AsyncStream<Void>.makeStream()
    private let asked = Guarded(0)

    /// How many were begun.
    var begun: Int { asked.withLock { $0 } }

    var closure: @Sendable () async throws -> Void {
        { [given, asked] in
            asked.withLock { $0 += 1 }
            var iterator = given.stream.makeAsyncIterator()
            guard await iterator.next() != nil, !Task.isCancelled else { throw CancellationError() }
        }
    }

    /// Ends one, and waits until the next has begun.
    func tick() async throws {
        let before = begun
        given.continuation.yield()
        try await eventually { self.begun > before }
    }
}
