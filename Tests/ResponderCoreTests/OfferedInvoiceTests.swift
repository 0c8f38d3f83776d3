import LedgerRecords
import BlindedPaths
import Bolt11
import Bolt12
import EmbeddedNode
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("The answer to an invoice request", .timeLimit(.minutes(5)))
struct OfferedInvoiceTests {
    let fixture: Fixture

    init() async throws { fixture = try await Fixture() }

    private func offer(_ change: (inout OfferTerms) -> Void = { _ in }) async throws -> Offer {
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        change(&terms)
        return try await fixture.responder().issueOffer(terms, for: fixture.alice()).offer
    }

    private func answer(
        _ request: InvoiceRequest, by responder: Responder? = nil, arrival: Arrival = .forwarder
    ) async throws -> Bolt12Invoice {
        let responder = if let responder { responder } else { try await fixture.responder() }
        return try await responder.invoice(answering: request.stream.bytes, for: fixture.alice(), arrival: arrival)
    }

    @Test("A strict payer accepts it")
    func accepted() async throws {
        let request = try fixture.request(try await offer()) {
            $0.payerNote = "hi"
        }
        let invoice = try await answer(request)
        let received = try Bolt12Invoice(invoice.text)
        try received.check(
            answering: request,
            InvoiceReception(arrival: .viaReplyPath, now: fixture.now, chains: [ChainHash(.regtest)])
        )
        #expect(received.amount == Millisatoshi(21_000))
    }

    @Test("It is in the ledger before it is sent, with the node's own invoice and what the payer sent")
    func durable() async throws {
        let offer = try await offer { $0.quantityMax = 5 }
        let request = try fixture.request(offer) {
            $0.quantity = 2
            $0.payerNote = "hi"
            $0.bip353Name = try? BIP353Name("alice@example.com")
        }
        let invoice = try await answer(request)
        let recorded = try #require(try await fixture.ledger.invoice(invoice.paymentHash))
        #expect(recorded.amount == Millisatoshi(42_000))
        #expect(
            recorded.origin
                == .bolt12(
                    .init(
                        offer: offer.id, invoice: invoice.stream.bytes, quantity: 2, payerNote: "hi",
                        name: "alice@example.com")))
    }

    @Test("Its path is the node itself, with the node's payment secret as path id and a week of slack")
    func path() async throws {
        let invoice = try await answer(fixture.request(try await offer()))
        let node = try await fixture.node.nodeInfo()
        let path = try #require(invoice.usablePaths.first)
        let base = try Bolt11Invoice(#require(try await fixture.ledger.invoice(invoice.paymentHash)?.bolt11))
        #expect(path.path.introductionNode == .node(node.nodeID))
        #expect(path.path.hops.count == 1)
        #expect(UInt64(path.payinfo.cltvExpiryDelta) == base.minFinalCLTVExpiryDelta + 3)
        #expect(path.payinfo.feeBase == 0)
        #expect(path.payinfo.feeProportionalMillionths == 0)
        let key = try Fixture.nodeKey()
        let order = try HopSecret(pathKey: path.path.firstPathKey, nodeKey: key)
            .open(path.path.hops[0].encryptedRecipientData)
        #expect(order.pathID == base.paymentSecret.secret)
        #expect(
            order.paymentConstraints?.maxCLTVExpiry
                == node.blockHeight + 1008 + UInt32(base.minFinalCLTVExpiryDelta) + 3)
    }

    @Test(
        "It has the payment hash and amount of the node's invoice, is not older, and expires no later"
    )
    func agreesWithBase() async throws {
        let invoice = try await answer(fixture.request(try await offer()))
        let recorded = try #require(try await fixture.ledger.invoice(invoice.paymentHash))
        let base = try Bolt11Invoice(#require(recorded.bolt11))
        #expect(base.paymentHash == invoice.paymentHash)
        #expect(base.amount == invoice.amount)
        #expect(base.description == .text("Tea"))
        #expect(invoice.createdAt >= base.timestamp)
        #expect(invoice.expiresAt <= base.expiresAt)
        #expect(invoice.parts == .severalAllowed)
    }

    @Test(
        "The node's invoice has the offer's description, or its hash when the node takes no text of that length",
        arguments: [(639, true), (640, false)])
    func descriptionLength(_ count: Int, isWhole: Bool) async throws {
        let text = String(repeating: "x", count: count)
        let invoice = try await answer(fixture.request(try await offer { $0.description = text }))
        let recorded = try #require(try await fixture.ledger.invoice(invoice.paymentHash))
        let base = try Bolt11Invoice(#require(recorded.bolt11))
        #expect(base.description == (isWhole ? .text(text) : .hash(SHA256.hash(text.utf8))))
    }

    @Test("It expires no later than the offer")
    func endsWithOffer() async throws {
        let end = fixture.now.adding(seconds: 90)
        let invoice = try await answer(fixture.request(try await offer { $0.absoluteExpiry = end }))
        #expect(invoice.expiresAt <= end)
        #expect(invoice.relativeExpiry == 90)
    }

    @Test(
        "A path-only offer's invoices are signed by the path's last id; only forwarded requests may come without a path"
    )
    func pathOnly() async throws {
        let introduction = try SecretKey(Array(repeating: 7, count: 32)).publicKey
        let offer = try await offer { $0.way = .introduction(introduction, withIssuerID: false) }
        let request = try fixture.request(offer)
        let invoice = try await answer(request, arrival: .viaPath(0))
        #expect(invoice.nodeID == offer.paths?.first?.hops.last?.blindedNodeID)
        #expect(try await answer(request, arrival: .forwarder).nodeID == invoice.nodeID)
        for arrival in [Arrival.direct, .viaPath(1)] {
            await #expect(throws: RequestRefusal.request(.notViaOfferPath)) {
                try await answer(request, arrival: arrival)
            }
        }
        #expect(RequestRefusal.request(.notViaOfferPath).isSilent)
    }

    @Test("The same bytes get the same invoice, until it is paid or has expired")
    func idempotent() async throws {
        let request = try fixture.request(try await offer())
        let first = try await answer(request)
        #expect(try await answer(request) == first)
        fixture.advance(seconds: 600)
        let second = try await answer(request)
        #expect(second.paymentHash != first.paymentHash)
        try await fixture.settle(second.paymentHash)
        #expect(try await answer(request).paymentHash != second.paymentHash)
    }

    @Test("For a path-only offer each request gets a new invoice, even with the same bytes")
    func pathOnlyIsFresh() async throws {
        let introduction = try SecretKey(Array(repeating: 7, count: 32)).publicKey
        let request = try fixture.request(try await offer { $0.way = .introduction(introduction, withIssuerID: false) })
        #expect(try await answer(request).paymentHash != answer(request).paymentHash)
    }

    @Test("A thousand identical concurrent requests get one invoice")
    func thousandAtOnce() async throws {
        let request = try fixture.request(try await offer())
        let responder = try await fixture.responder()
        let hashes = try await withThrowingTaskGroup(of: PaymentHash.self, returning: Set<PaymentHash>.self) { group in
            for _ in 0..<1000 {
                group.addTask { try await answer(request, by: responder).paymentHash }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(hashes.count == 1)
        #expect(try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.count == 1)
    }

    @Test("An offer for one payment is answered once at a time, and never again once it is paid")
    func singleUse() async throws {
        let offer = try await offer { $0.maximumPayments = 1 }
        let first = try await answer(fixture.request(offer, metadata: 1))
        await #expect(throws: RequestRefusal.offerExhausted) { try await answer(fixture.request(offer, metadata: 2)) }
        try await fixture.settle(first.paymentHash)
        fixture.advance(seconds: 10_000)
        await #expect(throws: RequestRefusal.offerExhausted) { try await answer(fixture.request(offer, metadata: 2)) }
    }

    @Test("A request for a disabled offer is refused")
    func disabled() async throws {
        let offer = try await offer()
        _ = try await fixture.ledger.disableOffer(offer.id, at: fixture.now)
        await #expect(throws: RequestRefusal.offerDisabled) { try await answer(fixture.request(offer)) }
    }

    @Test("A request for an expired offer is refused")
    func expired() async throws {
        let request = try fixture.request(try await offer { $0.absoluteExpiry = fixture.now })
        fixture.advance(seconds: 1)
        await #expect(throws: RequestRefusal.request(.offerExpired)) { try await answer(request) }
    }

    @Test("A request for someone else's offer, or for one of ours that was never stored, is refused alike")
    func foreign() async throws {
        let other = try fixture.issuer(seed: 99).issue(OfferTerms(description: "Tea"), on: .regtest) {
            count throws(CryptoFault) in Array(repeating: 1, count: count)
        }
        let forgotten = try fixture.issuer().issue(OfferTerms(description: "Tea"), on: .regtest) {
            count throws(CryptoFault) in Array(repeating: 1, count: count)
        }
        for offer in [other, forgotten] {
            let request = try fixture.request(offer) { $0.amount = Millisatoshi(1000) }
            await #expect(throws: RequestRefusal.unknownOffer) { try await answer(request) }
        }
    }

    @Test("An offer of another account is unknown")
    func otherAccount() async throws {
        let request = try fixture.request(try await offer())
        let responder = try await fixture.responder()
        await #expect(throws: RequestRefusal.unknownOffer) {
            try await responder.invoice(
                answering: request.stream.bytes, for: AccountID("bob@pay.example.com"), arrival: .forwarder)
        }
    }

    @Test("An invoice issued for one account is not returned for another")
    func answeredElsewhere() async throws {
        let request = try fixture.request(try await offer())
        _ = try await answer(request)
        let bob = try AccountID("bob@pay.example.com")
        _ = try await fixture.ledger.putAccount(
            named: bob, settings: AccountSettings(description: "Bob", backend: .embedded), metadata: "[]",
            at: fixture.now
        )
        let responder = try await fixture.responder()
        await #expect(throws: RequestRefusal.unknownOffer) {
            try await responder.invoice(answering: request.stream.bytes, for: bob, arrival: .forwarder)
        }
    }

    @Test("A block height near the end of 32 bits is refused without overflow")
    func tooHigh() async throws {
        let request = try fixture.request(try await offer())
        let node = FakeNodeBackend(fixture.node)
        let info = try await fixture.node.nodeInfo()
        node.info.withLock { $0 = NodeInfo(nodeID: info.nodeID, network: info.network, blockHeight: .max) }
        let responder = try await fixture.responder(in: node)
        await #expect(throws: RequestRefusal.unavailable(.path(.maxCLTVExpiryTooLarge))) {
            try await answer(request, by: responder)
        }
        #expect(try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.isEmpty)
    }

    @Test("A modified signature is refused before the node is called")
    func badSignature() async throws {
        var bytes = try fixture.request(try await offer()).stream.bytes
        bytes[bytes.count - 1] ^= 1
        let responder = try await fixture.responder()
        await #expect(throws: RequestRefusal.request(.invalidSignature)) {
            try await responder.invoice(answering: bytes, for: fixture.alice(), arrival: .forwarder)
        }
        #expect(try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.isEmpty)
    }

    @Test("Junk of 64 KiB is refused")
    func junk() async throws {
        let responder = try await fixture.responder()
        for byte in [UInt8(0), 1, 0xfd, 0xff] {
            await #expect(throws: RequestRefusal.self) {
                try await responder.invoice(
                    answering: Array(repeating: byte, count: 65_536), for: fixture.alice(), arrival: .forwarder)
            }
        }
    }

    @Test("An amount outside the limits is refused")
    func outOfLimits() async throws {
        try await fixture.putAlice { $0.maxSendable = Millisatoshi(20_999) }
        let request = try fixture.request(try await offer())
        await #expect(
            throws: RequestRefusal.payment(
                .amountOutOfLimits(
                    try #require(ReceiveLimits(minimum: Millisatoshi(1000), maximum: Millisatoshi(20_999)))))
        ) {
            try await answer(request)
        }
    }
}
