import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import Testing

/// The code of the article of `Bolt12`.
@Suite("The article on invoice requests", .timeLimit(.minutes(5)))
struct Bolt12Snippets {
    private let issuerKey: SecretKey
    private let payerKey: SecretKey
    private let now = UnixTime(1_800_000_000)

    init() throws {
        issuerKey = try SecretKey([UInt8](repeating: 1, count: 32))
        payerKey = try SecretKey([UInt8](repeating: 2, count: 32))
    }

    private func offer() throws -> Offer {
        let issuerKey = issuerKey
        // snippet: making an offer
        var fields = OfferFields()
        fields.description = "Tea"
        fields.issuerID = issuerKey.publicKey
        let offer = try Offer(fields)
        // end
        return offer
    }

    private func request() throws -> InvoiceRequest {
        let (text, payerKey) = (try offer().text, payerKey)
        // snippet: requesting an invoice
        let offer = try Offer(text)
        let draft = InvoiceRequestDraft(
            for: offer, metadata: try SystemRandom.bytes(16), amount: Millisatoshi(21_000), payerNote: "Thanks!")
        let request = try draft.signed(by: payerKey, auxiliaryRandom: SystemRandom.bytes(32))
        // end
        return request
    }

    private func accepted(_ bytes: [UInt8]) throws -> AcceptedRequest {
        let (offer, now) = (try offer(), now)
        // snippet: accepting a request
        let request = try InvoiceRequest(bytes: bytes)
        let accepted = try request.accepted(
            for: offer, RequestReception(arrival: .direct, now: now, chains: [.bitcoin]))
        // end
        return accepted
    }

    @Test("The payer accepts the invoice that answers its request")
    func answering() throws {
        let (offer, request) = (try offer(), try request())
        let accepted = try accepted(request.stream.bytes)
        #expect(accepted.amount == Millisatoshi(21_000))
        #expect(accepted.nodeID == offer.issuerID)

        let (now, issuerKey) = (now, issuerKey)
        let preimage = try Preimage(SecretBytes([UInt8](repeating: 3, count: 32)))
        let destination = PaymentPath.Destination(
            nodeID: issuerKey.publicKey, pathID: SecretBytes([UInt8](repeating: 4, count: 32)),
            expiryHeight: 900_000, minFinalCLTVExpiryDelta: 18)
        // snippet: signing the invoice
        let path = try PaymentPath(to: destination, secret: SecretKey.random())
        let draft = InvoiceDraft(
            answering: accepted, createdAt: now, paymentHash: preimage.paymentHash, paths: [path])
        let invoice = try draft.signed(by: issuerKey, auxiliaryRandom: SystemRandom.bytes(32))
        // end
        #expect(try checked(invoice.text, answering: request) == invoice)
        #expect(invoice.amount == Millisatoshi(21_000))
        #expect(invoice.usablePaths == [path])
        let otherRequest = try self.request()
        #expect(throws: InvoiceFault.self) { try checked(invoice.text, answering: otherRequest) }
    }

    private func checked(_ text: String, answering request: InvoiceRequest) throws -> Bolt12Invoice {
        let now = now
        // snippet: checking the invoice
        let invoice = try Bolt12Invoice(text)
        try invoice.check(
            answering: request, InvoiceReception(arrival: .outsideLightning, now: now, chains: [.bitcoin]))
        // end
        return invoice
    }

    // snippet: refusing a request
    func refusal(of bytes: [UInt8], for offer: Offer, _ reception: RequestReception) -> InvoiceError? {
        do throws(InvoiceRequestFault) {
            _ = try InvoiceRequest(bytes: bytes).accepted(for: offer, reception)
            return nil
        } catch {
            return error.isToBeIgnored ? nil : try? InvoiceError("The request does not match the offer")
        }
    }
    // end

    @Test("A request that breaks a rule is refused with the rule, or ignored")
    func refusing() throws {
        var fields = try offer().fields
        fields.description = "Coffee"
        let (bytes, other) = (try request().stream.bytes, try Offer(fields))
        let direct = RequestReception(arrival: .direct, now: now, chains: [.bitcoin])
        #expect(refusal(of: bytes, for: try offer(), direct) == nil)
        let refused = try #require(refusal(of: bytes, for: other, direct))
        #expect(try InvoiceError(bytes: refused.bytes) == refused)
        let viaPath = RequestReception(arrival: .viaPath(0), now: now, chains: [.bitcoin])
        #expect(refusal(of: bytes, for: try offer(), viaPath) == nil)
    }
}
