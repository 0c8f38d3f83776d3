import LedgerRecords
import BlindedPaths
import Bolt12
import EmbeddedNode
import LightningCoding
import LightningCrypto
import OnionMessages
import Platform
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("The answer to an onion message", .timeLimit(.minutes(5)))
struct MessageAnswerTests {
    let fixture: Fixture
    let introductions: [SecretKey]
    let payerPath: BlindedPath

    init() async throws {
        fixture = try await Fixture()
        introductions = try [7, 8].map { try SecretKey(Array(repeating: $0, count: 32)) }
        payerPath = try MessagePath.route(to: Fixture.payerKey().publicKey, pathID: SecretBytes([1])).blinded(
            secret: SecretKey(Array(repeating: 4, count: 32)))
    }

    private func offer(
        issuerID: Bool = true, _ change: (inout OfferTerms) -> Void = { _ in }
    ) async throws -> Offer {
        let way = OfferTerms.Way.introductions(introductions.map(\.publicKey), withIssuerID: issuerID)
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000), way: way)
        change(&terms)
        return try await fixture.responder().issueOffer(terms, for: fixture.alice()).offer
    }

    /// Sends a message over a path of an offer, as a payer does, and peels it as the introduction node and as we do.
    private func received(_ content: MessageContent, over offer: Offer, index: Int = 0) throws -> ReceivedMessage {
        let path = try #require(offer.paths)[index]
        let message = try OnionMessage(
            over: path, content: content, replyPath: payerPath,
            sessionKey: SecretKey(Array(repeating: 5, count: 32)))
        let nodeKey = try SecretKey(Array(repeating: 6, count: 32))
        guard case .forward(let next, .node(nodeKey.publicKey)) = try message.peeled(by: introductions[index]),
            case .received(let received) = try next.peeled(by: nodeKey)
        else { throw NotArrived() }
        return received
    }

    private struct NotArrived: Error {}

    private func ask(
        _ request: InvoiceRequest, over offer: Offer, index: Int = 0, of responder: Responder? = nil
    ) async throws -> MessageAnswer {
        let responder = if let responder { responder } else { try await fixture.responder() }
        return await responder.answer(
            to: try received(.invoiceRequest(request.stream.bytes), over: offer, index: index))
    }

    private func refusal(_ answer: MessageAnswer) throws -> String {
        guard case .reply(.invoiceError(let bytes), payerPath, _?) = answer else { throw NotArrived() }
        return try InvoiceError(bytes: bytes).message
    }

    @Test("A strict payer accepts the invoice, over each of the paths", arguments: [true, false], [0, 1])
    func invoice(issuerID: Bool, index: Int) async throws {
        let offer = try await self.offer(issuerID: issuerID)
        let request = try fixture.request(offer)
        guard case .reply(.invoice(let bytes), payerPath, nil) = try await ask(request, over: offer, index: index)
        else { throw NotArrived() }
        let invoice = try Bolt12Invoice(bytes: bytes)
        try invoice.check(
            answering: request,
            InvoiceReception(
                arrival: .viaReplyPath, now: fixture.now, chains: [ChainHash(.regtest)], sentToPath: index))
        #expect(try await fixture.ledger.invoice(invoice.paymentHash)?.account == fixture.alice())
    }

    @Test("A refusal reaches the payer as text")
    func refused() async throws {
        let offer = try await self.offer()
        let low = try await ask(fixture.request(offer, metadata: 2) { $0.quantity = nil }, over: offer)
        guard case .reply(.invoice, _, _) = low else { throw NotArrived() }
        _ = try await fixture.ledger.disableOffer(offer.id, at: fixture.now)
        #expect(try refusal(try await ask(fixture.request(offer), over: offer)) == "This offer is no longer valid")
    }

    @Test("An expired offer, and one of an unknown seed, are refused to payers that have a path of ours")
    func gone() async throws {
        let expiring = try await offer { $0.absoluteExpiry = fixture.now.adding(seconds: 10) }
        let late = try fixture.request(expiring)
        fixture.advance(seconds: 11)
        #expect(try refusal(try await ask(late, over: expiring)) == "This offer has expired")
        let good = try await offer()
        let foreign = try await Fixture().issuer(seed: 9).issue(
            OfferTerms(description: "Tea"), on: .regtest, random: SystemRandom.bytes)
        let strange = try fixture.request(foreign) { $0.amount = Millisatoshi(1) }
        #expect(try refusal(try await ask(strange, over: good)) == "This offer is not known here")
    }

    @Test("Malformed requests are refused to payers that have a path of ours")
    func malformed() async throws {
        let message = try received(.invoiceRequest([1, 2, 3]), over: try await offer())
        let answer = try await fixture.responder().answer(to: message)
        #expect(try refusal(answer) == "The invoice request is malformed")
    }

    @Test("A request that came over the path of another of our offers is ignored")
    func anotherOffersPath() async throws {
        let (one, other) = (try await offer(), try await offer())
        #expect(
            try await ask(fixture.request(one), over: other) == .silence(.notForUs(.request(.notViaOfferPath))))
    }

    @Test("A message without an invoice request, without a reply path, or over a path that is not ours is ignored")
    func ignored() async throws {
        let responder = try await fixture.responder()
        let offer = try await self.offer()
        let bytes = try fixture.request(offer).stream.bytes
        let good = try received(.invoiceRequest(bytes), over: offer)
        func answer(
            _ pathID: SecretBytes?, _ replyPath: BlindedPath?, _ content: MessageContent?
        ) async -> MessageAnswer {
            await responder.answer(to: ReceivedMessage(pathID: pathID, replyPath: replyPath, content: content))
        }
        for content in [nil, .invoice(bytes), .invoiceError(bytes)] as [MessageContent?] {
            #expect(await answer(good.pathID, payerPath, content) == .silence(.notARequest))
        }
        #expect(await answer(good.pathID, nil, good.content) == .silence(.noReplyPath))
        for pathID in [SecretBytes([]), SecretBytes(Array(repeating: 1, count: 32))] {
            #expect(await answer(pathID, payerPath, good.content) == .silence(.unknownPath))
        }
        #expect(
            await answer(nil, payerPath, good.content) == .silence(.notForUs(.request(.notViaOfferPath))))
    }

    @Test("Strangers without a path learn nothing about offers that are not ours")
    func stranger() async throws {
        let foreign = try await Fixture().issuer(seed: 9).issue(
            OfferTerms(description: "Tea"), on: .regtest, random: SystemRandom.bytes)
        let responder = try await fixture.responder()
        for bytes in [[1, 2, 3], try fixture.request(foreign) { $0.amount = Millisatoshi(1) }.stream.bytes] {
            let message = ReceivedMessage(pathID: nil, replyPath: payerPath, content: .invoiceRequest(bytes))
            #expect(await responder.answer(to: message) == .silence(.notForUs(.unknownOffer)))
        }
    }

    @Test("An offer without paths is answered when its key is addressed directly")
    func direct() async throws {
        let offer = try await self.offer { $0.way = .issuerID }
        let message = ReceivedMessage(
            pathID: nil, replyPath: payerPath, content: .invoiceRequest(try fixture.request(offer).stream.bytes))
        guard case .reply(.invoice, payerPath, nil) = try await fixture.responder().answer(to: message) else {
            throw NotArrived()
        }
    }

    @Test("While a node does not answer nothing is sent, and the same request succeeds later")
    func transient() async throws {
        let offer = try await self.offer()
        let isAsleep = Guarded(true)
        let node = StubNode(fixture.node) { stub in
            stub.make = { [inner = fixture.node] order throws(BackendFault) in
                if isAsleep.withLock({ $0 }) { throw .timedOut }
                return try await inner.createInvoice(order)
            }
        }
        let responder = try await fixture.responder(in: node)
        let request = try fixture.request(offer)
        guard case .silence(.notNow(.payment(.unavailable))) = try await ask(request, over: offer, of: responder) else {
            throw NotArrived()
        }
        isAsleep.withLock { $0 = false }
        guard case .reply(.invoice, _, nil) = try await ask(request, over: offer, of: responder) else {
            throw NotArrived()
        }
    }
}
