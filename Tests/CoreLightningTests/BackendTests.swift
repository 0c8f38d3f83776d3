import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing
@testable import CoreLightning

@Suite("A Core Lightning node as a backend", .timeLimit(.minutes(5)))
struct BackendTests {
    let fixture: NodeFixture

    init() throws {
        fixture = try NodeFixture()
    }

    @Test("The node is described with its peers, most receivable first")
    func nodeInfo() async throws {
        let info = try await fixture.backend().nodeInfo()
        #expect(info.nodeID == fixture.lightningd.key.publicKey)
        #expect(info.network == .regtest)
        #expect(info.isPublic)
        #expect(info.introductionPeers.map(\.htlcMaximum.msat) == [990_000_000, 495_000_000])
    }

    @Test("A node with private channels only is not public")
    func privateNode() async throws {
        fixture.lightningd.state.withLock { _ = $0.channels.removeFirst() }
        let info = try await fixture.backend().nodeInfo()
        #expect(!info.isPublic)
        #expect(info.introductionPeers.count == 1)
    }

    @Test("The limits go from the smallest HTLC to just below what the channels visible to payers can receive")
    func limits() async throws {
        #expect(
            try await fixture.backend().limits()
                == ReceiveLimits(minimum: Millisatoshi(1), maximum: Millisatoshi(985_581_654)))
        let both = Recorded.channels.map { $0.with("private", false) }
        fixture.lightningd.state.withLock { $0.channels = both }
        #expect(try await fixture.backend().limits().maximum == Millisatoshi(1_476_290_654))
        fixture.lightningd.state.withLock { $0.channels = [Recorded.channels[1]] }
        #expect(try await fixture.backend().limits().maximum == Millisatoshi(490_708_999))
        fixture.lightningd.state.withLock { state in
            state.channels = state.channels.map { $0.with("minimum_htlc_in_msat", 5000) }
        }
        #expect(try await fixture.backend().limits().minimum == Millisatoshi(5000))
    }

    @Test("Amounts beyond all bitcoin do not overflow the limits")
    func hugeLimits() async throws {
        fixture.lightningd.state.withLock { state in
            state.channels = state.channels.map { $0.with("receivable_msat", .unsigned(.max)) }
        }
        #expect(try await fixture.backend().limits().maximum == Millisatoshi(2_099_999_999_999_999_999))
    }

    @Test("What can be sent to a peer is bounded by what may be under way and by the largest forwarded amount")
    func sendable() async throws {
        let key = try SecretKey([UInt8](repeating: 0x22, count: 32)).publicKey
        for (member, value) in [("their_max_htlc_value_in_flight_msat", 5), ("maximum_htlc_out_msat", 6)] {
            fixture.lightningd.openChannels(to: key, sendable: [Millisatoshi(21_000)], isConnected: true)
            fixture.lightningd.state.withLock { state in
                state.channels = state.channels.map { $0.with(member, .integer(value)) }
            }
            let peer = try await fixture.backend().forwardingPeer(key)
            #expect(peer?.channels.map(\.sendable.msat) == [UInt64(value)])
        }
    }

    @Test("A channel forwards only once both sides have agreed on where it stands, and not while it closes")
    func reestablished() async throws {
        let key = try SecretKey([UInt8](repeating: 0x22, count: 32)).publicKey
        fixture.lightningd.openChannels(to: key, sendable: [Millisatoshi(21_000)], isConnected: true)
        func change(_ member: String, _ value: JSONValue) {
            fixture.lightningd.state.withLock { state in
                state.channels = state.channels.map { $0.with(member, value) }
            }
        }
        change("reestablished", false)
        let peer = try await fixture.backend().forwardingPeer(key)
        #expect(peer?.isConnected == true)
        #expect(peer?.channels.map(\.isEnabled) == [false])
        change("state", "CHANNELD_SHUTTING_DOWN")
        #expect(try await fixture.backend().forwardingPeer(key) == nil)
    }

    @Test("A node that cannot receive reports that instead of an empty range")
    func nothingReceivable() async throws {
        fixture.lightningd.state.withLock { $0.channels = [] }
        await #expect(throws: BackendFault.nothingReceivable) { try await fixture.backend().limits() }
        fixture.lightningd.state.withLock { state in
            state.channels = Recorded.channels.map { $0.with("receivable_msat", 0) }
        }
        await #expect(throws: BackendFault.nothingReceivable) { try await fixture.backend().limits() }
    }

    @Test("An invoice that could not be paid for lack of channels is canceled")
    func noCapacity() async throws {
        let backend = try fixture.backend()
        fixture.lightningd.state.withLock { $0.channels = [] }
        await #expect(throws: BackendFault.nothingReceivable) { try await backend.createInvoice(.sample()) }
        #expect(fixture.lightningd.state.withLock { $0.records.isEmpty })
    }

    @Test("lightningd rejects a text with control characters, which it cannot represent")
    func controlCharacter() async throws {
        await #expect(throws: BackendFault.self) {
            try await fixture.backend().createInvoice(.sample(description: .text("a\u{1}b")))
        }
        // JSON within JSON, as in LNURL metadata, is plain text.
        _ = try await fixture.backend().createInvoice(.sample(description: .hashed(#"[["text/plain","a\u0001b"]]"#)))
    }

    @Test("An invoice for no amount, or for more than all bitcoin, is not ordered from the node")
    func impossibleAmounts() async throws {
        for amount in [Millisatoshi(0), Millisatoshi(UInt64.max)] {
            await #expect(throws: BackendFault.amountNotPossible) {
                try await fixture.backend().createInvoice(.sample(amount: amount))
            }
        }
    }

    @Test("A cursor that is not an index is rejected", arguments: ["lnd:7", "", "-1", "0x7"])
    func foreignCursor(_ text: String) async throws {
        var settlements = try fixture.backend().settlements(after: SettlementCursor(text)).compactMap { try $0.get() }
            .makeAsyncIterator()
        await #expect(throws: BackendFault.refused("a cursor of another node")) { try await settlements.next() }
    }

    @Test("When the wait ends without a payment, it is repeated")
    func waitsAgain() async throws {
        let backend = try fixture.backend()
        let settlement = Task { try await Self.next(of: backend) }
        for _ in 0..<3 {
            try await until { fixture.lightningd.state.withLock { !$0.waiters.isEmpty } }
            fixture.lightningd.timeOutWaiters()
        }
        let invoice = try await backend.createInvoice(.sample())
        try fixture.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
        #expect(try await settlement.value?.paymentHash == invoice.paymentHash)
    }

    @Test(
        "A repeated payment, or one whose number is not after the cursor, is malformed",
        arguments: [("pay_index", 5), ("pay_index", 0), ("status", "unpaid"), ("pay_index", "6")]
            as [(String, JSONValue)])
    func corruptPayment(_ key: String, _ value: JSONValue) async throws {
        let backend = try fixture.backend()
        for number in 0..<6 {
            let invoice = try await backend.createInvoice(.sample("\(number)"))
            try fixture.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
        }
        fixture.lightningd.state.withLock { $0.corruption = [key: value] }
        await #expect(throws: BackendFault.self) { try await Self.next(of: backend, after: SettlementCursor("5")) }
    }

    @Test(
        "A payment of which only the number can be read is skipped by it, and those after it arrive",
        arguments: [("payment_preimage", .null), ("amount_received_msat", "1"), ("paid_at", .null)]
            as [(String, JSONValue)])
    func unreadablePayment(_ key: String, _ value: JSONValue) async throws {
        let backend = try fixture.backend()
        var hashes: [PaymentHash] = []
        for number in 0..<2 {
            let invoice = try await backend.createInvoice(.sample("\(number)"))
            try fixture.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
            hashes.append(invoice.paymentHash)
        }
        fixture.lightningd.state.withLock { $0.corruption = [key: value] }
        let fault = try #require(
            await #expect(throws: UnreadableSettlement.self) { try await Self.next(of: backend, after: nil) })
        #expect(fault.paymentHash == hashes[0])
        fixture.lightningd.state.withLock { $0.corruption = [:] }
        #expect(try await Self.next(of: backend, after: fault.cursor)?.paymentHash == hashes[1])
    }

    @Test("The present end is the number of the newest payment", arguments: [0, 1, 2, 5])
    func presentEnd(count: Int) async throws {
        let backend = try fixture.backend()
        for number in 0..<count {
            let invoice = try await backend.createInvoice(.sample("\(number)"))
            try fixture.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
        }
        #expect(try await backend.presentEnd() == SettlementCursor("\(count)"))
    }

    @Test("A node whose autoclean has deleted all paid invoices, also the newest, does not count anew")
    func autoclean() async throws {
        let backend = try fixture.backend()
        for number in 0..<3 {
            let invoice = try await backend.createInvoice(.sample("\(number)"))
            try fixture.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
        }
        let cursor = SettlementCursor("3")
        #expect(try await backend.cursorState(of: cursor) == .reached)
        fixture.lightningd.state.withLock { $0.records = [] }
        #expect(try await backend.cursorState(of: cursor) == .nothingListed(beginning: SettlementCursor("0")))
        let next = try await backend.createInvoice(.sample("next"))
        try fixture.lightningd.pay(next.bolt11, Millisatoshi(21_001))
        #expect(try await backend.cursorState(of: cursor) == .reached)
        #expect(try await Self.next(of: backend, after: nil)?.paymentHash == next.paymentHash)
    }

    @Test(
        "A node that has created fewer invoices than were paid counts anew, and so does one that lists only earlier ones"
    )
    func rebuilt() async throws {
        let backend = try fixture.backend()
        let cursor = SettlementCursor("3")
        let invoice = try await backend.createInvoice(.sample("1"))
        #expect(try await backend.cursorState(of: cursor) == .renumbered)
        for number in 2...5 { _ = try await backend.createInvoice(.sample("\(number)")) }
        try fixture.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
        #expect(try await backend.cursorState(of: cursor) == .renumbered)
    }

    @Test("The node's own offer contains the account, and a disabled one is not enabled again")
    func ownOffer() async throws {
        let backend = try fixture.backend(usesOwnOffers: true)
        let order = OfferOrder(
            label: "alice@example.com", description: "Tea", amount: Millisatoshi(5000), issuer: "Tea shop")
        let offer = try await backend.offer(order)
        #expect(offer.fields.issuer == "Tea shop (alice@example.com)")
        #expect(offer.fields.amount == 5000)
        let other = try await backend.offer(OfferOrder(label: "bob@example.com", description: "Tea"))
        #expect(other.fields.issuer == "bob@example.com")
        #expect(other.fields.amount == nil)
        fixture.lightningd.state.withLock { state in
            state.offers = state.offers.map { JSONValue.object($0).with("active", false).object ?? [:] }
        }
        await #expect(throws: BackendFault.self) { try await backend.offer(order) }
    }

    @Test("An offer that does not match the order is malformed")
    func anotherOffer() async throws {
        let backend = try fixture.backend(usesOwnOffers: true)
        let offer = try await backend.offer(OfferOrder(label: "alice", description: "Tea"))
        fixture.lightningd.state.withLock { state in
            // The label is used by an offer with different contents: it is skipped, and the right one is created.
            state.offers = state.offers.map { JSONValue.object($0).with("label", "bob").object ?? [:] }
        }
        let made = try await backend.offer(OfferOrder(label: "bob", description: "Tea"))
        #expect(made.id != offer.id)
        #expect(made.fields.issuer == "bob")
    }

    static func next(
        of backend: CoreLightningBackend, after cursor: SettlementCursor? = nil
    ) async throws -> Settlement? {
        var settlements = backend.settlements(after: cursor).compactMap { try $0.get() }.makeAsyncIterator()
        return try await settlements.next()
    }
}

/// Waits for another thread.
func until(_ condition: () -> Bool) async throws {
    while !condition() {
        try await Task.sleep(for: .milliseconds(1))
    }
}

extension InvoiceOrder {
    /// An order over 21 sat and 1 msat that expires after a minute.
    static func sample(
        _ label: String = "label",
        amount: Millisatoshi = Millisatoshi(21_001),
        description: Description = .hashed(#"[["text/plain","⚡️"]]"#)
    ) -> InvoiceOrder {
        InvoiceOrder(amount: amount, description: description, expiry: 60, label: label)
    }
}
