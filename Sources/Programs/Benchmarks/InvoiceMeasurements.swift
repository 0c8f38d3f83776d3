import Bolt11
import LightningCoding
import LightningCrypto

/// Signing and parsing a BOLT11 invoice, each compared with the one curve operation that it requires.
enum InvoiceMeasurements {
    static func make() throws -> [Measurement] {
        let keyBytes = SHA256.hash(Array("a key for measuring".utf8))
        let key = try SecretKey(keyBytes)
        let preimage = try Preimage(SHA256.hash(Array("a preimage for measuring".utf8)))
        let draft = Bolt11Draft(
            network: .regtest,
            amount: Millisatoshi(21_000),
            timestamp: UnixTime(1_790_000_000),
            paymentHash: preimage.paymentHash,
            paymentSecret: try PaymentSecret(keyBytes),
            description: .hash(SHA256.hash(Array("metadata".utf8)))
        )
        let text = try draft.signed(by: key).text
        let bare = BareCurve(key: keyBytes, hash: preimage.paymentHash.bytes)
        let signature = bare.sign()
        return [
            Measurement(name: "bare sign", calls: 500) { _ = bare.sign() },
            Measurement(name: "BOLT11 sign", calls: 500) { _ = try draft.signed(by: key) },
            Measurement(name: "bare recover", calls: 500) { _ = bare.recover(signature) },
            Measurement(name: "BOLT11 decode", calls: 500) { _ = try Bolt11Invoice(text) },
        ]
    }
}
