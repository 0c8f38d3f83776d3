package import Bolt12
import LightningCoding
package import LightningCrypto
import Platform

/// The secret that offers are derived from and by which they are recognized without a lookup.
///
/// The `offer_metadata` of our offers holds a nonce of 16 bytes and the first 16 bytes of an HMAC-SHA-256 over the
/// nonce and all other records. The nonce also yields the offer's key and the secrets of its paths, so only the seed
/// and the responder's own key need to be stored.
package struct OfferSeed: Sendable {
    /// The length of the seed in bytes.
    package static let count = 32
    /// The length of a nonce in bytes.
    package static let nonceCount = 16

    static let maximumPaths = 8

    private static let codeCount = 16
    private static let metadataType: UInt64 = 4

    private let authentication: HMACSHA256.Keyed
    private let issuerKeys: HMACSHA256.Keyed
    private let pathSecrets: HMACSHA256.Keyed
    private let pathIDs: HMACSHA256.Keyed

    package init(_ seed: SecretBytes) throws(CryptoFault) {
        guard seed.count == Self.count else { throw .invalidLength(expected: Self.count, found: seed.count) }
        func key(_ purpose: String) -> HMACSHA256.Keyed {
            HMACSHA256.Keyed(HMACSHA256.deriveSecret(from: Array(purpose.utf8), key: seed))
        }
        authentication = key("offer authentication")
        issuerKeys = key("offer issuer key")
        pathSecrets = key("offer path secret")
        pathIDs = key("offer path id")
    }

    /// The key that signs the invoices of the offer with that nonce. Throws `invalidSecretKey`, once in 2^128 nonces.
    func issuerKey(_ nonce: [UInt8]) throws(CryptoFault) -> SecretKey {
        try SecretKey(issuerKeys.deriveSecret(from: nonce))
    }

    func pathSecret(_ path: OfferPath) throws(CryptoFault) -> SecretKey {
        try SecretKey(pathSecrets.deriveSecret(from: path.name))
    }

    /// The path id by which we recognize a path: the offer's nonce, and the first 16 bytes of an HMAC over the path's
    /// name. 32 bytes, since Core Lightning passes no path id of another length to its plugins.
    func pathID(_ path: OfferPath) -> SecretBytes {
        SecretBytes(path.nonce + pathIDs.authenticate(path.name).prefix(Self.codeCount))
    }

    /// The path that a path id identifies, when it is ours; else nil. Needs no offer; compares in constant time.
    func path(of pathID: SecretBytes) -> OfferPath? {
        guard pathID.count == Self.nonceCount + Self.codeCount else { return nil }
        let nonce = Array(pathID.prefix(Self.nonceCount))
        return (0..<Self.maximumPaths).lazy.map { OfferPath(index: $0, nonce: nonce) }
            .first { self.pathID($0) == pathID }
    }

    func metadata(_ nonce: [UInt8], of records: some Sequence<TLVRecord>) -> [UInt8] {
        nonce + code(nonce, records)
    }

    /// The nonce of an offer that is ours and unmodified; else nil. Constant time.
    func nonce(of offer: Offer) -> [UInt8]? {
        guard let metadata = offer.metadata, metadata.count == Self.nonceCount + Self.codeCount else { return nil }
        let nonce = Array(metadata.prefix(Self.nonceCount))
        let expected = code(nonce, offer.stream.records)
        return ConstantTime.equal(expected, metadata.suffix(Self.codeCount)) ? nonce : nil
    }

    private func code(_ nonce: [UInt8], _ records: some Sequence<TLVRecord>) -> ArraySlice<UInt8> {
        var message = nonce
        for record in records where record.type != Self.metadataType { message += record.raw }
        return authentication.authenticate(message).prefix(Self.codeCount)
    }
}

extension OfferPath {
    /// The input of key derivation: the nonce, followed by the index of every path but the first.
    fileprivate var name: [UInt8] { index == 0 ? nonce : nonce + [UInt8(clamping: index)] }
}

/// The issuer keys of imported offers, kept in memory, since every request needs one.
package final class ImportedKeys: Sendable {
    private let keys: Guarded<[OfferID: SecretKey]>

    package init(_ keys: [OfferID: SecretKey] = [:]) {
        self.keys = Guarded(keys)
    }

    package subscript(id: OfferID) -> SecretKey? {
        keys.withLock { $0[id] }
    }

    /// Adds a key, effective from the next request on.
    package func add(_ key: SecretKey, for id: OfferID) {
        keys.withLock { $0[id] = key }
    }
}
