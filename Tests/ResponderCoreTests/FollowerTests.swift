import LedgerRecords
import Bolt11
import EmbeddedNode
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
import Waiting
@testable import ResponderCore
@testable import SQLiteLedger

@Suite("Following a node's settlements", .timeLimit(.minutes(5)))
struct FollowerTests {
    let fixture: Fixture
    let node: FakeNodeBackend
    private let events = AsyncStream<SettlementFollower.Event>.makeStream()

    init() async throws {
        fixture = try await Fixture()
        node = FakeNodeBackend(fixture.node)
    }

    /// Follows until the test is done; pauses take no time.
    func following<Value>(
        _ backend: (any ReceiveBackend)? = nil,
        tick: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(600)) },
        _ body: (inout AsyncStream<SettlementFollower.Event>.Iterator) async throws -> Value
    ) async throws -> Value {
        let front = backend ?? node
        let follower = SettlementFollower(
            of: .embedded, front, in: fixture.ledger, knownNodes: KnownNodes(ledger: fixture.ledger),
            clock: { [fixture] in fixture.now },
            pause: { _ in await Task.yield() }, tick: tick,
            report: { [events] in events.continuation.yield($0) }
        )
        let lease = try await fixture.ledger.held(.following(.embedded))
        let task = Task { await follower.run(under: lease) }
        var iterator = events.stream.makeAsyncIterator()
        let value = try await body(&iterator)
        task.cancel()
        await task.value
        return value
    }

    func invoice() async throws -> PaymentHash {
        let invoice = try await fixture.responder(in: node).payInvoice(
            CallbackQuery(amount: Millisatoshi(21_000)), for: fixture.alice())
        return try Bolt11Invoice(invoice.pr).paymentHash
    }

    @Test("Payments received while nobody followed are recorded at the start, later ones as they happen")
    func reconciles() async throws {
        let (before, after) = (try await invoice(), try await invoice())
        try await fixture.node.settle(before, at: fixture.now)
        try await following { events in
            #expect(await events.next()?.settled == before)
            try await fixture.node.settle(after, at: fixture.now)
            #expect(await events.next()?.settled == after)
        }
        #expect(try await fixture.ledger.invoice(after)?.settlement != nil)
    }

    @Test("After a restart nothing is reported twice")
    func restart() async throws {
        let (one, two) = (try await invoice(), try await invoice())
        try await fixture.node.settle(one, at: fixture.now)
        try await following { events in #expect(await events.next()?.settled == one) }
        try await fixture.node.settle(two, at: fixture.now)
        try await following { events in #expect(await events.next()?.settled == two) }
    }

    @Test("A settlement of an unknown invoice is skipped")
    func unknown() async throws {
        let stranger = try await fixture.node.createInvoice(
            InvoiceOrder(amount: Millisatoshi(5_000), description: .text("x"), expiry: 60, label: "stranger"))
        try await fixture.node.settle(stranger.paymentHash, at: fixture.now)
        let ours = try await invoice()
        try await fixture.node.settle(ours, at: fixture.now)
        try await following { events in #expect(await events.next()?.settled == ours) }
        #expect(try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("2"))
        #expect(try await fixture.ledger.invoice(stranger.paymentHash) == nil)
    }

    @Test(
        "At first contact it begins at the present, and no payment of an invoice in the ledger is missed")
    func firstContact() async throws {
        // Paid before, during and after the first contact.
        let (before, during, after) = (try await invoice(), try await invoice(), try await invoice())
        try await fixture.node.settle(before, at: fixture.now)
        let asked = Guarded<[SettlementCursor?]>([])
        node.stream.withLock { [inner = fixture.node] stream in
            stream = { cursor in
                asked.withLock { $0.append(cursor) }
                return inner.settlements(after: cursor)
            }
        }
        node.end.withLock { [fixture] end in
            end = {
                _ = try? await fixture.node.settle(during, at: fixture.now)
                return SettlementCursor("2")
            }
        }
        try await following { events in
            let found: Set = [await events.next()?.settled, await events.next()?.settled]
            #expect(found == [before, during])
            try await fixture.node.settle(after, at: fixture.now)
            #expect(await events.next()?.settled == after)
        }
        #expect(asked.withLock { $0 } == [SettlementCursor("2")])
        #expect(try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("3"))
    }

    @Test("An invoice that was paid before it expired is also found at first contact")
    func expiredMeanwhile() async throws {
        let hash = try await invoice()
        try await fixture.node.settle(hash, at: fixture.now)
        fixture.advance(seconds: 100_000)
        node.end.withLock { $0 = { SettlementCursor("1") } }
        try await following { events in #expect(await events.next()?.settled == hash) }
    }

    @Test("A ledger with a cursor continues from there, not from the present")
    func knownCursor() async throws {
        let (one, two) = (try await invoice(), try await invoice())
        try await fixture.ledger.bind(.embedded, to: try await fixture.node.nodeInfo().nodeID)
        try await fixture.ledger.pass(to: SettlementCursor("0"), of: .embedded)
        try await fixture.node.settle(one, at: fixture.now)
        try await fixture.node.settle(two, at: fixture.now)
        node.end.withLock { $0 = { SettlementCursor("2") } }
        try await following { events in
            #expect(await events.next()?.settled == one)
            #expect(await events.next()?.settled == two)
        }
    }

    @Test("Following is recorded while the node's stream lasts, and not while the node is down")
    func noted() async throws {
        let ticks = AsyncStream<Void>.makeStream()
        let tick: @Sendable () async throws -> Void = { [stream = ticks.stream] in
            var iterator = stream.makeAsyncIterator()
            guard await iterator.next() != nil, !Task.isCancelled else { throw CancellationError() }
        }
        node.fault.withLock { $0 = .timedOut }
        try await following(tick: tick) { events in
            #expect(await events.next()?.isInterruption == true)
            ticks.continuation.yield()
            #expect(try await fixture.ledger.followedSpan(of: .embedded) == nil)
            node.fault.withLock { $0 = nil }
            try await eventually { try await fixture.ledger.followedSpan(of: .embedded) != nil }
        }
        #expect(
            try await fixture.ledger.followedSpan(of: .embedded) == FollowedSpan(since: fixture.now, until: fixture.now)
        )
    }

    @Test("The cursor is stored once per hundred payments of unknown invoices")
    func foreignBatch() async throws {
        for number in 0..<150 {
            let stranger = try await fixture.node.createInvoice(
                InvoiceOrder(amount: Millisatoshi(5_000), description: .text("x"), expiry: 60, label: "s\(number)"))
            try await fixture.node.settle(stranger.paymentHash, at: fixture.now)
        }
        try await following { _ in
            try await eventually { try await fixture.ledger.cursor(of: .embedded) != nil }
        }
        #expect(try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("100"))
    }

    @Test("Payments that are already recorded are read again without a durable write for each")
    func settledHistory() async throws {
        for _ in 0..<150 {
            let hash = try await invoice()
            let settlement = try await fixture.node.settle(hash, at: fixture.now)
            _ = try await fixture.ledger.record(
                RecordedSettlement(
                    settledAt: fixture.now, received: settlement.received, preimage: settlement.preimage),
                of: hash, from: .embedded)
        }
        let before = fixture.ledger.statistics.writes
        try await following { _ in
            try await eventually { try await fixture.ledger.cursor(of: .embedded) != nil }
        }
        #expect(try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("100"))
        // The node's id, the cursor once, and that the payments are followed.
        #expect(fixture.ledger.statistics.writes - before <= 3)
    }

    @Test("An unreadable payment is reported and skipped, and those after it are recorded")
    func unreadable() async throws {
        let skipped = UnreadableSettlement(
            paymentHash: try await invoice(), .malformedAnswer("odd"), cursor: SettlementCursor("0"))
        let ours = try await invoice()
        let paid = try await fixture.node.settle(ours, at: fixture.now)
        node.stream.withLock { [inner = fixture.node] stream in
            stream = { cursor in
                guard cursor == nil else { return inner.settlements(after: cursor) }
                return AsyncThrowingStream { told in
                    told.yield(.failure(skipped))
                    told.yield(.success(paid))
                }
            }
        }
        try await following { events in
            guard case .skipped(.embedded, skipped) = await events.next() else {
                Issue.record("not skipped")
                return
            }
            #expect(await events.next()?.settled == ours)
        }
        #expect(try await fixture.ledger.cursor(of: .embedded) == SettlementCursor("1"))
        let listed = try await fixture.ledger.skippedSettlements(limit: 9)
        #expect(listed.map(\.paymentHash) == [skipped.paymentHash])
        #expect(listed.map(\.reason) == [skipped.reason])
    }

    @Test("A payment that the ledger refuses for its content is skipped, and those after it are recorded")
    func refusedContent() async throws {
        let (odd, ours) = (try await invoice(), try await invoice())
        for hash in [odd, ours] { try await fixture.node.settle(hash, at: fixture.now) }
        try await fixture.ledger.database.write { connection throws(LedgerFault) in
            try connection.script(
                """
                CREATE TRIGGER odd BEFORE UPDATE OF settled_at ON invoice WHEN NEW.payment_hash = x'\(odd.hexadecimal)'
                BEGIN SELECT RAISE(ABORT, 'odd'); END
                """)
        }
        try await following { events in
            guard case .skipped(.embedded, let skipped) = await events.next() else {
                Issue.record("not skipped")
                return
            }
            #expect(skipped.paymentHash == odd)
            #expect(await events.next()?.settled == ours)
        }
        #expect(try await fixture.ledger.skippedSettlements(limit: 9).map(\.paymentHash) == [odd])
    }

    @Test(
        "An impossible payment is skipped, and those after it are recorded",
        arguments: [
            (Millisatoshi(2_100_000_000_000_000_001), UnixTime(1)), (Millisatoshi(.max), UnixTime(1)),
            (Millisatoshi(1), UnixTime(253_402_300_800)), (Millisatoshi(1), UnixTime(.max)),
        ])
    func contradiction(received: Millisatoshi, settledAt: UnixTime) async throws {
        let first = try await invoice()
        let ours = try await invoice()
        let told = try await fixture.node.settle(first, at: fixture.now)
        let second = try await fixture.node.settle(ours, at: fixture.now)
        let odd = Settlement(
            paymentHash: first, preimage: told.preimage, received: received, settledAt: settledAt, cursor: told.cursor)
        node.stream.withLock { [inner = fixture.node] stream in
            stream = { cursor in
                guard cursor == nil else { return inner.settlements(after: cursor) }
                return AsyncThrowingStream { told in
                    told.yield(.success(odd))
                    told.yield(.success(second))
                }
            }
        }
        try await following { events in
            guard case .skipped(.embedded, let skipped) = await events.next() else {
                Issue.record("not skipped")
                return
            }
            #expect(skipped.paymentHash == first)
            #expect(await events.next()?.settled == ours)
        }
        #expect(try await fixture.ledger.invoice(first)?.settlement == nil)
    }

    @Test("A node that starts later is followed from then on, and its recovery is reported")
    func comesLater() async throws {
        let hash = try await invoice()
        try await fixture.node.settle(hash, at: fixture.now)
        node.fault.withLock { $0 = .timedOut }
        try await following { events in
            #expect(await events.next()?.isInterruption == true)
            node.fault.withLock { $0 = nil }
            var resumed = false
            while let event = await events.next() {
                if case .resumed = event { resumed = true }
                if event.settled == hash { break }
            }
            #expect(resumed)
        }
    }

    @Test("While a node is down each cause is reported once, and again if the node was up in between")
    func toldOnce() async throws {
        node.fault.withLock { $0 = .timedOut }
        let follower = SettlementFollower(
            of: .embedded, node, in: fixture.ledger, knownNodes: KnownNodes(ledger: fixture.ledger),
            pause: { [node] attempt in
                switch attempt {
                case 4: node.fault.withLock { $0 = .overloaded }
                case 8: node.fault.withLock { $0 = nil }
                default: await Task.yield()
                }
            },
            report: { [events] in events.continuation.yield($0) })
        let lease = try await fixture.ledger.held(.following(.embedded))
        let task = Task { await follower.run(under: lease) }
        var interruptions: [BackendFault?] = []
        for await event in events.stream {
            guard case .interrupted(_, let error) = event else { break }
            interruptions.append(error as? BackendFault)
        }
        #expect(interruptions == [.timedOut, .overloaded])
        task.cancel()
        await task.value
    }

    @Test("Pauses double from 0.1 s up to 1 s, so that a payment shows within a second of the node's return")
    func pauses() {
        #expect(
            [Int.min, 0, 1, 2, 3, 4, 5, 6, Int.max].map(SettlementFollower.pause) == [
                .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(200), .milliseconds(400),
                .milliseconds(800), .seconds(1), .seconds(1), .seconds(1),
            ])
    }

    @Test("The cursor of a different node is not used")
    func anotherNode() async throws {
        let hash = try await invoice()
        try await fixture.ledger.bind(.embedded, to: try await fixture.node.nodeInfo().nodeID)
        node.info.withLock {
            $0 = try? NodeInfo(
                nodeID: SecretKey(Array(repeating: 9, count: 32)).publicKey, network: .regtest, blockHeight: 1)
        }
        try await fixture.node.settle(hash, at: fixture.now)
        let known = try await fixture.node.nodeInfo().nodeID
        try await following { events in
            guard case .interrupted(_, let error) = await events.next() else {
                Issue.record("not interrupted")
                return
            }
            #expect(error as? LedgerFault == .anotherNode(known))
        }
        #expect(try await fixture.ledger.invoice(hash)?.settlement == nil)
    }
}

extension SettlementFollower.Event {
    var settled: PaymentHash? {
        if case .settled(let invoice) = self { invoice.paymentHash } else { nil }
    }

    var isInterruption: Bool {
        if case .interrupted = self { true } else { false }
    }
}
