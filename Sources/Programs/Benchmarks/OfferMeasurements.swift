import Bolt12
import LightningCoding
import LightningCrypto

/// Parsing BOLT12 offers and requests, and answering them, compared with the curve operations that this requires.
enum OfferMeasurements {
    static func make() throws -> [Measurement] {
        let payee = try OfferPayee()
        let offer = payee.offer.text
        let request = try RequestBatch(for: payee.offer).next().stream.bytes
        let bare = BareAnswer(key: SHA256.hash(Array("a key for measuring".utf8)), hash: SHA256.hash(request))
        return [
            Measurement(name: "offer decode", calls: 500) { _ = try Offer(offer) },
            Measurement(name: "bare Schnorr verify", calls: 500) { _ = bare.verify() },
            Measurement(name: "invoice_request parse and verify", calls: 500) {
                try InvoiceRequest(bytes: request).checkSignature()
            },
            Measurement(name: "bare BOLT12 answer", calls: 500) {
                _ = bare.verify()
                _ = bare.blind()
                _ = bare.sign()
            },
            Measurement(name: "BOLT12 answer", calls: 500) { _ = try payee.invoice(answering: request) },
        ] + (try MessageMeasurements.make(bare))
    }
}
