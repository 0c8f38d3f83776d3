import EmbeddedNode
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

@Suite("What becomes of an invoice", .timeLimit(.minutes(5)))
struct LifeTests {
    let fixture = NodeFixture()
    let preimage: Preimage
    let order: InvoiceOrder
    let hash: PaymentHash

    init() throws {
        preimage = try Preimage(Array(repeating: 9, count: 32))
        order = .sample(preimage: preimage)
        hash = preimage.paymentHash
    }

    @Test("It is open until its time is over")
    func expires() async throws {
        let node = try await fixture.start()
        #expect(try await node.status(of: hash) == nil)
        _ = try await node.createInvoice(order)
        fixture.advance(seconds: 59)
        #expect(try await node.status(of: hash) == .open)
        fixture.advance(seconds: 1)
        #expect(try await node.status(of: hash) == .closed)
        await #expect(throws: SettlementFault.expired) { try await node.settle(hash, at: fixture.now) }
    }

    @Test("A payment settles it for good; the preimage shows only then")
    func settles() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        let settlement = try await node.settle(hash, at: fixture.now)
        #expect(
            settlement
                == Settlement(
                    paymentHash: hash, preimage: preimage, received: order.amount, settledAt: fixture.now,
                    cursor: SettlementCursor("1")
                )
        )
        let settled = PaymentStatus.settled(at: fixture.now, received: order.amount, preimage: preimage)
        fixture.advance(seconds: 1000)
        #expect(try await node.status(of: hash) == settled)
        await #expect(throws: SettlementFault.alreadySettled) { try await node.settle(hash, at: fixture.now) }
        await #expect(throws: BackendFault.refused("settled")) { try await node.cancel(hash) }
        #expect(try await node.status(of: hash) == settled)
    }

    @Test("A hash that is not the node's cannot be paid or let go")
    func unknown() async throws {
        let node = try await fixture.start()
        await #expect(throws: SettlementFault.unknown) { try await node.settle(hash, at: fixture.now) }
        await #expect(throws: BackendFault.refused("unknown")) { try await node.cancel(hash) }
    }

    @Test("Once let go it cannot be paid; to let it go again changes nothing")
    func cancels() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        try await node.cancel(hash)
        try await node.cancel(hash)
        #expect(try await node.status(of: hash) == .closed)
        await #expect(throws: SettlementFault.canceled) { try await node.settle(hash, at: fixture.now) }
    }

    @Test("What expired needs no letting go")
    func cancelsExpired() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        fixture.advance(seconds: 60)
        try await node.cancel(hash)
        #expect(try await node.status(of: hash) == .closed)
    }

    @Test("It is not forgotten while it can be paid by the node's own clock, whatever moment is named")
    func forgetsNothingOpen() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        fixture.advance(seconds: 59)
        try await node.forget([hash], expiredBefore: fixture.now.adding(seconds: 10_000_000))
        #expect(try await node.status(of: hash) == .open)
        fixture.advance(seconds: 1)
        try await node.forget([hash], expiredBefore: fixture.now.adding(seconds: 10_000_000))
        #expect(try await node.status(of: hash) == nil)
    }

    @Test("A cursor is reached when so much was settled; one that is none of the node's is left to the stream")
    func reached() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        #expect(try await node.cursorState(of: SettlementCursor("1")) == .renumbered)
        #expect(try await node.cursorState(of: SettlementCursor("0")) == .reached)
        try await node.settle(hash, at: fixture.now)
        for (text, isReached) in [("0", true), ("1", true), ("2", false), ("x", true)] {
            let state = try await node.cursorState(of: SettlementCursor(text))
            #expect(state == (isReached ? .reached : .renumbered), "\(text)")
        }
    }

    @Test("One that is not stored yet is forgotten, too")
    func forgetsUnstored() async throws {
        let node = try await fixture.start()
        let hash = try await node.createInvoice(.sample()).paymentHash
        fixture.advance(seconds: 61)
        try await node.forget([hash], expiredBefore: fixture.now)
        #expect(try await node.status(of: hash) == nil)
    }

    @Test("It is forgotten after a moment when it was never paid, and only then")
    func forgets() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        let paid = try await node.createInvoice(.sample("paid"))
        try await node.settle(paid.paymentHash, at: fixture.now)
        let end = fixture.now.adding(seconds: 60)
        let hashes = [hash, paid.paymentHash]
        fixture.advance(seconds: 1_000)
        try await node.forget(hashes, expiredBefore: end)
        #expect(try await node.status(of: hash) == .closed)
        try await node.forget([paid.paymentHash], expiredBefore: fixture.now)
        #expect(try await node.status(of: hash) == .closed)
        try await node.forget(hashes, expiredBefore: end.adding(seconds: 1))
        #expect(try await node.status(of: hash) == nil)
        guard case .settled = try await node.status(of: paid.paymentHash) else {
            Issue.record("the paid invoice is gone")
            return
        }
        // What is forgotten may be made again.
        _ = try await node.createInvoice(order)
        #expect(try await node.status(of: hash) == .open)
    }

    @Test("What was asked for up to twice as much is taken", arguments: [21_001, 21_002, 42_002] as [UInt64])
    func accepts(_ msat: UInt64) async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        #expect(try await node.settle(hash, received: Millisatoshi(msat), at: fixture.now).received.msat == msat)
    }

    @Test("Less, or more than twice as much, is not", arguments: [0, 21_000, 42_003, .max] as [UInt64])
    func refuses(_ msat: UInt64) async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        await #expect(throws: SettlementFault.failed("the amount is not accepted")) {
            try await node.settle(hash, received: Millisatoshi(msat), at: fixture.now)
        }
        #expect(try await node.status(of: hash) == .open)
    }

    @Test("Of many payments at once, one settles it")
    func race() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        let (hash, now) = (hash, fixture.now)
        let settled = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for _ in 0..<20 { group.addTask { (try? await node.settle(hash, at: now)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(settled == 1)
    }

    @Test("A swap pays an invoice that is still being stored")
    func freshSwap() async throws {
        let node = try await fixture.start()
        for number in 0..<20 {
            let made = try await node.createInvoice(.sample("\(number)"))
            let paid = try await node.advance(.swapUpdated(id: "\(number)", SwapStatus("transaction.mempool")))
            #expect(paid == made.paymentHash)
        }
    }

    @Test("Of several invoices with one label, a swap pays the newest")
    func newest() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(.sample())
        let last = try await node.createInvoice(.sample()).paymentHash
        #expect(try await node.advance(.swapUpdated(id: "label", SwapStatus("transaction.mempool"))) == last)
    }

    @Test("An invoice's label, or its SHA-256, stands for the id of a swap that pays it")
    func swaps() async throws {
        let node = try await fixture.start()
        _ = try await node.createInvoice(order)
        let digest = Hexadecimal.encode(SHA256.hash("label".utf8))
        for id in ["label", digest] {
            #expect(try await node.advance(.swapUpdated(id: id, SwapStatus("transaction.mempool"))) == hash)
        }
        for event in [
            BackendEvent.swapUpdated(id: "another", SwapStatus("transaction.mempool")),
            .transactionConfirmed(id: "label"),
        ] {
            await #expect(throws: BackendFault.unsupported) { try await node.advance(event) }
        }
    }
}
