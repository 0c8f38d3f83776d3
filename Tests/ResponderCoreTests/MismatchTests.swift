import LedgerRecords
import BlindedPaths
import Bolt12
import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import OnionMessages
import Platform
import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import ResponderCore

@Suite("An invoice that does not match the order", .timeLimit(.minutes(5)))
struct MismatchTests {
    private let fixture: Fixture

    init() async throws { fixture = try await Fixture() }

    /// How an invoice can be requested.
    enum Way: CaseIterable, Sendable {
        case payer
        case notification
        case forwarder
        case peer
    }

    private func responder(in node: FakeNodeBackend) async throws -> Responder {
        try await fixture.responder(in: node)
    }

    /// A node that makes the same wrong invoice for every order.
    private func liar() async throws -> (FakeNodeBackend, BackendInvoice) {
        let node = FakeNodeBackend(fixture.node)
        let other = try await fixture.node.createInvoice(
            InvoiceOrder(amount: Millisatoshi(1), description: .text("x"), expiry: 60, label: "other"))
        node.forge.withLock { $0 = { _ in other } }
        return (node, other)
    }

    /// Requests an invoice that way; returns what the payer is told if there is none.
    private func ask(_ way: Way, _ responder: Responder) async throws -> String? {
        switch way {
        case .payer:
            let alice = try fixture.alice()
            do throws(Refusal) {
                _ = try await responder.payInvoice(
                    CallbackQuery(amount: Millisatoshi(21_000)), for: alice)
                return nil
            } catch {
                return error.reason
            }
        case .notification:
            return try await handled(NotificationFixture.invoice("21000"), responder)
        case .forwarder:
            let request = try await request(of: responder).0
            let text = Hexadecimal.encode(request)
            return try await handled(#"{"event":"invoice.request","data":{"invoiceRequest":"\#(text)"}}"#, responder)
        case .peer:
            let (request, offer) = try await request(of: responder)
            let key = try SecretKey(Array(repeating: 6, count: 32))
            let replyPath = try MessagePath.route(to: key.publicKey, pathID: SecretBytes([1])).blinded(secret: key)
            let message = try OnionMessage(
                over: #require(offer.paths?.first), content: .invoiceRequest(request), replyPath: replyPath,
                sessionKey: SecretKey(Array(repeating: 5, count: 32)))
            guard case .received(let received) = try message.peeled(by: key),
                case .reply(.invoiceError(let bytes), _, _?) = await responder.answer(to: received)
            else { return nil }
            return try InvoiceError(bytes: bytes).message
        }
    }

    private func handled(_ text: String, _ responder: Responder) async throws -> String? {
        let clock = ManualClock()
        let handled = await NotificationResponder(
            responder, clock: clock.clock
        ).handle(
            try NotificationReader().read(Array(text.utf8)), for: try fixture.alice(),
            until: clock.now + .seconds(20))
        #expect(handled.record.outcome == .failed)
        #expect(handled.cause?.hasSuffix("does not match the order: its amount differs") == true)
        let json = try JSONValue(parsing: handled.reply?.body ?? [])
        return json["reason"]?.string ?? json["error"]?.string
    }

    /// A request for an offer whose path begins and ends at our own key.
    private func request(of responder: Responder) async throws -> ([UInt8], Offer) {
        let own = try SecretKey(Array(repeating: 6, count: 32)).publicKey
        let terms = OfferTerms(
            description: "Tea", amount: Millisatoshi(21_000), way: .introduction(own, withIssuerID: true))
        let offer = try await responder.issueOffer(terms, for: fixture.alice()).offer
        let draft = InvoiceRequestDraft(
            for: offer, metadata: Array(repeating: 1, count: 16), chain: ChainHash(.regtest))
        let signed = try draft.signed(by: SecretKey(Array(repeating: 3, count: 32)), auxiliaryRandom: nil)
        return (signed.stream.bytes, offer)
    }

    private func pending() async throws -> [OutboxWork] { try await fixture.ledger.outbox(OutboxQuery()).elements }

    @Test(
        "However it was requested, it is recorded to be canceled before the payer learns that there is none",
        arguments: Way.allCases)
    func everyWay(way: Way) async throws {
        let (node, other) = try await liar()
        let said = try await ask(way, responder(in: node))
        #expect(
            said
                == (way == .forwarder || way == .peer
                    ? "Failed to create invoice" : "No invoice can be made for this payment"))
        let work = try #require(try await pending().first)
        #expect(work.kind == .invoiceMismatch && work.account?.text == "alice@pay.example.com")
        #expect(work.deadline == fixture.now.adding(seconds: 60))
        #expect(
            InvoiceMismatch(work)
                == InvoiceMismatch(
                    backend: .embedded, paymentHash: other.paymentHash, cause: InspectionFault.amount.reason,
                    account: work.account))
        #expect(try await fixture.ledger.invoices(InvoiceQuery(now: fixture.now)).elements.isEmpty)
    }

    @Test("The same invoice is recorded once, and a node that is always wrong does not fill the ledger")
    func bounded() async throws {
        let (node, _) = try await liar()
        let responder = try await responder(in: node)
        let unrecorded = Guarded(0)
        fixture.ledger.observers.add { fact in
            if case .unrecordedMismatch = fact { unrecorded.withLock { $0 += 1 } }
        }
        for _ in 0..<3 { _ = try await ask(.payer, responder) }
        #expect(try await pending().count == 1)
        #expect(unrecorded.withLock { $0 } == 2)
        let made = Guarded(UInt8(0))
        node.forge.withLock {
            $0 = { _ in
                let number = made.withLock { number in
                    number += 1
                    return number
                }
                let hash = SHA256.hash([number])
                return BackendInvoice(bolt11: "lnbcrt1", paymentHash: (try? PaymentHash(hash))!)
            }
        }
        for _ in 0..<120 { _ = try await ask(.payer, responder) }
        #expect(try await fixture.ledger.totals().pending == [.invoiceMismatch: 100])
        #expect(unrecorded.withLock { $0 } == 2 + 21)
        // Also an unreadable invoice, which has no expiry of its own.
        #expect(try await pending().allSatisfy { $0.deadline != nil })
    }
}
