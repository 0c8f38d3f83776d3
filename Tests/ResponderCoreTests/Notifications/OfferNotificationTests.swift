import Bolt12
import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger
import Testing
@testable import ResponderCore

@Suite("An invoice request by notification", .timeLimit(.minutes(5)))
struct OfferNotificationTests {
    typealias Notified = NotificationFixture

    private func offer(_ fixture: Notified) async throws -> Offer {
        try await fixture.fixture.responder().issueOffer(
            OfferTerms(description: "Tea", amount: Millisatoshi(21_000)), for: fixture.fixture.alice()
        ).offer
    }

    private func request(_ offer: Offer, amount: Millisatoshi? = nil, without type: UInt64? = nil) throws -> String {
        var draft = InvoiceRequestDraft(
            for: offer, metadata: Array(repeating: 1, count: 16), chain: ChainHash(.regtest))
        draft.amount = amount
        let request = try draft.signed(by: SecretKey(Array(repeating: 3, count: 32)), auxiliaryRandom: nil)
        return Hexadecimal.encode(try TLVStream(request.stream.records.filter { $0.type != type }).bytes)
    }

    private func event(_ request: String, _ offer: String?, reply: String = "https://f.example/1") -> String {
        let offer = offer.map { #""offer":"\#($0)","# } ?? ""
        return #"{"event":"invoice.request","data":{\#(offer)"invoiceRequest":"\#(request)","reply_url":"\#(reply)"}}"#
    }

    @Test("is answered with an invoice, the same one whatever the reply URL")
    func answered() async throws {
        let fixture = try await Notified()
        let offer = try await offer(fixture)
        let request = try request(offer)
        let first = try await fixture.handle(event(request, offer.text.uppercased()))
        let invoice = try Bolt12Invoice(try #require(try first.json["invoice"]?.string))
        #expect(invoice.amount == Millisatoshi(21_000))
        #expect(first.reply?.cacheControl == nil)
        #expect(first.record.paymentHash == invoice.paymentHash)
        #expect(first.text == NotificationText(title: "Fetching Invoice", lifetime: .replaceable))
        let second = try await fixture.handle(event(request, nil, reply: "https://f.example/2"))
        #expect(second.text8 == first.text8)
    }

    @Test("that cannot be satisfied gets an error in its protocol's format")
    func refused() async throws {
        let fixture = try await Notified { $0.maxSendable = Millisatoshi(20_999_000) }
        let offer = try await offer(fixture)
        let open = try await fixture.fixture.responder().issueOffer(OfferTerms(), for: fixture.fixture.alice()).offer
        let errors: [(String, String)] = [
            (event("00", nil), "The invoice request is malformed"),
            (
                event(try request(open, amount: Millisatoshi(1000), without: 82), nil),
                "Amount missing in invoice request"
            ),
            (event(try request(offer), "lno1"), "The invoice request is not for this offer"),
            (event(try request(offer), open.text), "The invoice request is not for this offer"),
            (
                event(try request(offer, amount: Millisatoshi(30_000_000)), nil),
                "The amount is far above the 21000 msat that are asked"
            ),
        ]
        for (text, reason) in errors {
            let handled = try await fixture.handle(text)
            #expect(handled.text8 == #"{"error":"\#(reason)"}"#)
            #expect(handled.text?.title == "Invoice Request Failed")
            #expect(handled.record.outcome == .refused)
        }
    }

    @Test("above the limits gets an error with the limits in satoshis")
    func limits() async throws {
        let fixture = try await Notified {
            $0.minSendable = Millisatoshi(22_000_001)
            $0.maxSendable = Millisatoshi(25_000_999)
        }
        let handled = try await fixture.handle(event(request(try await offer(fixture)), nil))
        #expect(handled.text8 == #"{"error":"Amount must be between 22001 and 25000"}"#)
    }

    @Test("gets no answer during a transient failure, and an error after a final one")
    func troubles() async throws {
        let fixture = try await Notified()
        let offer = try await offer(fixture)
        let faults: [(BackendFault, String?)] = [
            (.timedOut, nil), (.unreachable("x"), nil), (.storage("x"), nil),
            (.refused("secret words"), "Failed to create invoice"), (.duplicate, "Failed to create invoice"),
            (.nothingReceivable, nil),
        ]
        for (fault, reason) in faults {
            let responder = try await fixture.notified(
                in: StubNode(fixture.fixture.node) { $0.make = { _ throws(BackendFault) in throw fault } })
            let handled = try await fixture.handle(event(request(offer), nil), by: responder)
            #expect(handled.text8 == reason.map { #"{"error":"\#($0)"}"# })
            #expect(handled.silence == (reason == nil ? .transient : nil))
            #expect(handled.record.outcome == .failed)
            #expect(handled.text?.title == "Invoice Request Failed")
        }
    }

    @Test("to two accounts at once is answered for its own account only")
    func twoAccounts() async throws {
        let fixture = try await Notified()
        _ = try await fixture.fixture.ledger.putAccount(
            named: .init("bob@pay.example.com"), settings: AccountSettings(description: "For bob", backend: .embedded),
            metadata: #"[["text/plain","For bob"]]"#, at: fixture.fixture.now)
        let text = event(try request(try await offer(fixture)), nil)
        let responder = try await fixture.notified()
        async let alice = fixture.handle(text, by: responder)
        async let bob = fixture.handle(text, by: responder, for: "bob")
        let (forAlice, forBob) = try await (alice, bob)
        #expect(try forAlice.json["invoice"] != nil)
        #expect(forBob.text8 == #"{"error":"This offer is not known here"}"#)
    }
}
