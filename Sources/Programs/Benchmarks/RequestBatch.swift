import Bolt12
import LightningCoding
import LightningCrypto

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
