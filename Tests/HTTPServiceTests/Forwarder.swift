import Bolt12
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

/// Calls webhooks like a swap service, with requests of one payer.
struct Forwarder {
    let service: TestService

    func offer(
        of account: String = "alice",
        _ change: (inout OfferTerms) -> Void = { _ in }
    ) async throws -> Offer {
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        change(&terms)
        return try await service.responder.issueOffer(terms, for: AccountID("\(account)@example.com")).offer
    }

    func request(
        _ offer: Offer,
        metadata: UInt8 = 1,
        _ change: (inout InvoiceRequestDraft) -> Void = { _ in }
    ) throws -> InvoiceRequest {
        var draft = InvoiceRequestDraft(
            for: offer, metadata: [UInt8](repeating: metadata, count: 16), chain: ChainHash(.regtest))
        change(&draft)
        return try draft.signed(by: SecretKey([UInt8](repeating: 3, count: 32)), auxiliaryRandom: nil)
    }

    /// The path of an account's webhook, including its secret.
    ///
    /// - Parameter owner: the key that has registered the name.
    func path(_ account: String = "alice", owner: PublicKey? = nil) throws -> String {
        let secret = try service.secrets.pathSecret(of: AddressName(account), in: service.domain, owner: owner)
        return "/webhook/\(account)/\(secret)"
    }

    /// The posted body.
    static func body(_ request: [UInt8], offer: String?, key: String = "invoiceRequest") -> String {
        var data: JSONObject = [key: .string(Hexadecimal.encode(request))]
        if let offer { data.append("offer", .string(offer)) }
        let call: JSONValue = ["event": "invoice.request", "data": .object(data)]
        return call.serialized()
    }

    func post(_ body: String, to path: String? = nil) async throws -> Answer {
        try await service.ask(path ?? self.path(), method: .post, body: body)
    }

    /// Forwards a request for an offer, to the service's responder or another.
    func forward(_ request: InvoiceRequest, for offer: Offer, to responder: Responder? = nil) async throws -> Answer {
        try await Answer(
            service.publicRouter(responder ?? service.responder), path(), .post, [:],
            Self.body(request.stream.bytes, offer: offer.text)
        )
    }
}

extension Answer {
    /// The error text for the payer; nil when there is an invoice.
    var invoiceError: String? { (try? json())?["error"]?.string }

    /// The invoice for the payer.
    func invoice() throws -> Bolt12Invoice { try Bolt12Invoice(json()["invoice"]?.string ?? "") }
}
