import LNURL
package import LightningCrypto
package import ResponderModel

/// Tells by a verify URL that its invoice was given out here, for that registration, so that nothing need be remembered:
/// 64 bits of an HMAC-SHA-256 over the key, the payment hash and the domain.
///
/// A device also knows what its owner has paid. Without the mark, whoever knows such a payment hash would get the proof of
/// payment.
package struct VerifyMarks: Sendable {
    private let key: HMACSHA256.Keyed

    /// Creates marks.
    ///
    /// - Parameter key: a key of the service, the same at every instance; the marks' own is derived from it.
    package init(key: SecretBytes) {
        self.key = HMACSHA256.Keyed(HMACSHA256.deriveSecret(from: Array("verify URLs of app users".utf8), key: key))
    }

    /// The mark of an invoice. It stands where verify URLs of accounts have a time, and so is never 0.
    package func mark(of paymentHash: PaymentHash, for id: RegistrationID) -> UInt64 {
        // The first two have a fixed length, so that the boundary with the domain is unambiguous.
        let message = id.key.bytes + paymentHash.bytes + Array(id.domain.text.utf8)
        return max(1, key.authenticate(message).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Whether a number is the mark of an invoice. A machine word is compared in constant time.
    package func isMark(_ number: UInt64, of paymentHash: PaymentHash, for id: RegistrationID) -> Bool {
        mark(of: paymentHash, for: id) == number
    }
}

/// Tells in a callback which metadata a payer was shown, so that nothing need be remembered: the first 64 bits of its
/// SHA-256. It stands where callbacks of accounts have a version, and so is never 0.
package struct MetadataMark: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package init(of metadata: String) {
        self.init(ofHash: SHA256.hash(metadata.utf8))
    }

    /// The mark of the metadata with that SHA-256.
    init(ofHash hash: [UInt8]) {
        number = max(1, hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
