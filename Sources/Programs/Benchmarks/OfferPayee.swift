import BlindedPaths
import Bolt11
import Bolt12
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

/// Answers requests like `Responder`, without a ledger, and with a node that has its BOLT11 invoice ready.
struct OfferPayee {
    let offer: Offer
    let issuer: OfferIssuer
    /// Our key, at which offer paths end; also used as the node's.
    let nodeKey: SecretKey

    private let order: InvoiceOrder
    private let ready: BackendInvoice
    private let now = UnixTime(1_790_000_000)

    struct UnknownOffer: Error {}

    init(way: OfferTerms.Way = .issuerID) throws {
        let secret = SHA256.hash(Array("a payee for measuring".utf8))
        let key = try SecretKey(secret)
        issuer = OfferIssuer(seed: try OfferSeed(SecretBytes(secret)), nodeKey: key)
        offer = try issuer.issue(
            OfferTerms(description: "Sats for Alice", amount: Millisatoshi(21_000), way: way),
            on: .regtest,
            random: SystemRandom.bytes
        )
        nodeKey = key
        order = InvoiceOrder(
            amount: Millisatoshi(21_000), description: .text("Sats for Alice"), expiry: 600, label: "measured")
        ready = try Self.invoice(order, at: now, signedBy: key)
    }

    private static func invoice(
        _ order: InvoiceOrder, at now: UnixTime, signedBy key: SecretKey
    ) throws -> BackendInvoice {
        let paymentHash = try Preimage(random: SystemRandom.bytes).paymentHash
        let draft = Bolt11Draft(
            network: .regtest,
            amount: order.amount,
            timestamp: now,
            paymentHash: paymentHash,
            paymentSecret: try PaymentSecret(random: SystemRandom.bytes),
            description: .text("Sats for Alice"),
            expiry: order.expiry
        )
        return BackendInvoice(bolt11: try draft.signed(by: key).text, paymentHash: paymentHash)
    }

    /// From the bytes of a request to those of the signed invoice, over a one-hop path.
    func invoice(answering bytes: [UInt8], arrival: Arrival = .forwarder) throws -> [UInt8] {
        let request = try InvoiceRequest(bytes: bytes)
        guard let offer = try request.mirroredOffer(), let key = issuer.signingKey(of: offer) else {
            throw UnknownOffer()
        }
        let reception = RequestReception(arrival: arrival, now: now, chains: [ChainHash(.regtest)])
        let accepted = try request.accepted(for: offer, reception)
        let base = try InvoiceInspection(network: .regtest, order: order).inspect(ready, at: now)
        let destination = PaymentPath.Destination(
            nodeID: nodeKey.publicKey,
            pathID: base.paymentSecret.secret,
            expiryHeight: 2_008,
            minFinalCLTVExpiryDelta: UInt16(clamping: base.minFinalCLTVExpiryDelta)
        )
        let path = try PaymentPath(
            to: destination, secret: try SecretKey(random: SystemRandom.bytes), isPadded: false)
        let draft = InvoiceDraft(
            answering: accepted,
            createdAt: now,
            relativeExpiry: UInt32(clamping: base.expiry),
            paymentHash: base.paymentHash,
            paths: [path],
            parts: .severalAllowed
        )
        return try draft.signed(by: key, auxiliaryRandom: try SystemRandom.bytes(32)).stream.bytes
    }
}

/// Signed requests for an offer on regtest, each different: a repeated one would get the same invoice.
struct RequestBatch {
    private let offer: Offer
    private let payerKey: SecretKey

    init(for offer: Offer) throws {
        self.offer = offer
        payerKey = try .random()
    }

    func next() throws -> InvoiceRequest {
        let draft = InvoiceRequestDraft(
            for: offer,
            metadata: try SystemRandom.bytes(16),
            chain: ChainHash(.regtest),
            amount: Millisatoshi(21_000),
            payerNote: "hi"
        )
        return try draft.signed(by: payerKey, auxiliaryRandom: nil)
    }

    func print(_ count: Int) throws {
        for _ in 0..<count {
            Swift.print(Hexadecimal.encode(try next().stream.bytes))
        }
    }
}
