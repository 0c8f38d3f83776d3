import LightningCrypto

/// Derives the preimage of an invoice from its payment secret, so that the node can honour an invoice of which it has
/// lost the record.
struct PreimageKey: Sendable {
    private let key: HMACSHA256.Keyed

    init(of nodeKey: SecretKey) {
        let tag = Array("embedded node: preimages".utf8)
        key = HMACSHA256.Keyed(nodeKey.withBytes { HMACSHA256.deriveSecret(from: tag, key: $0) })
    }

    func preimage(for secret: PaymentSecret) throws(CryptoFault) -> Preimage {
        try Preimage(key.deriveSecret(from: secret.secret))
    }
}
