public import BlindedPaths
public import Bolt12
public import LightningCoding
public import LightningCrypto

/// Makes offers, knows its own again, and has their keys.
public struct OfferIssuer: Sendable {
    private let seed: OfferSeed
    private let nodeKey: SecretKey
    private let importedKeys: ImportedKeys

    /// An issuer.
    ///
    /// - Parameters:
    ///   - seed: what offers are made from.
    ///   - nodeKey: the responder's own key, at which offer paths end.
    ///   - importedKeys: the issuer keys of offers that were made elsewhere.
    public init(seed: OfferSeed, nodeKey: SecretKey, importedKeys: ImportedKeys = ImportedKeys()) {
        self.seed = seed
        self.nodeKey = nodeKey
        self.importedKeys = importedKeys
    }

    /// Makes an offer.
    ///
    /// - Parameter random: gives the offer's nonce, of 16 bytes.
    /// - Throws: the rule of BOLT 12 that the terms break, or that there is no randomness or no path.
    public func issue(
        _ terms: OfferTerms,
        on network: Network,
        random: RandomSource
    ) throws(OfferIssueFault) -> Offer {
        do {
            let nonce = try random(OfferSeed.nonceCount)
            var fields = OfferFields()
            if network != .bitcoin { fields.chains = [ChainHash(network)] }
            fields.amount = terms.amount?.msat
            fields.description = terms.description
            fields.absoluteExpiry = terms.absoluteExpiry
            fields.issuer = terms.issuer
            fields.quantityMax = terms.quantityMax
            try setWay(terms.way, nonce, of: &fields)
            let unauthenticated = try Offer(fields)
            fields.metadata = seed.metadata(nonce, of: unauthenticated.stream.records)
            return try Offer(fields)
        } catch let fault as OfferFault {
            throw .offer(fault)
        } catch let fault as BlindedPathFault {
            throw .path(fault)
        } catch {
            throw .randomness
        }
    }

    private func setWay(_ way: OfferTerms.Way, _ nonce: [UInt8], of fields: inout OfferFields) throws {
        switch way {
        case .issuerID:
            fields.issuerID = try seed.issuerKey(nonce).publicKey
        case .introduction(let introduction, let withIssuerID):
            fields.paths = [try route(from: introduction, nonce).blinded(secret: seed.pathSecret(nonce))]
            if withIssuerID { fields.issuerID = try seed.issuerKey(nonce).publicKey }
        }
    }

    private func route(from introduction: PublicKey, _ nonce: [UInt8]) throws(BlindedPathFault) -> BlindedRoute {
        try MessagePath.route(
            to: nodeKey.publicKey,
            through: [MessagePath.Relay(nodeID: introduction)],
            pathID: seed.pathID(nonce)
        )
    }
}

/// Why an offer cannot be made.
public enum OfferIssueFault: Error, Hashable, Sendable {
    /// The terms break a rule of BOLT 12.
    case offer(OfferFault)
    /// The path cannot be made.
    case path(BlindedPathFault)
    /// There are no random bytes.
    case randomness
}

extension OfferIssuer {
    /// The key that signs the invoices of an offer, when the offer is ours and unchanged; nil for all others. Looks nothing
    /// up, and takes as long for an offer that is nearly ours as for one that is not.
    ///
    /// An offer without issuer id is signed for by the last blinded id of its path.
    public func signingKey(of offer: Offer) -> SecretKey? {
        if let key = importedKeys[offer.id] { return key }
        guard let nonce = seed.nonce(of: offer) else { return nil }
        if offer.issuerID != nil { return try? seed.issuerKey(nonce) }
        guard case .node(let introduction)? = offer.paths?.first?.introductionNode else { return nil }
        return try? blindedKey(from: introduction, nonce)
    }

    private func blindedKey(from introduction: PublicKey, _ nonce: [UInt8]) throws -> SecretKey {
        let pathKey = try route(from: introduction, nonce).recipientPathKey(secret: seed.pathSecret(nonce))
        return try HopSecret(pathKey: pathKey, nodeKey: nodeKey).blindedKey(of: nodeKey)
    }
}
