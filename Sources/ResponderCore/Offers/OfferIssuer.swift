public import BlindedPaths
public import Bolt12
public import LightningCoding
public import LightningCrypto

/// Makes offers, knows its own again, and has their keys.
public struct OfferIssuer: Sendable {
    /// The most paths of one offer: enough for every peer that is worth a path, and few enough for a code to scan.
    public static let maximumPaths = OfferSeed.maximumPaths

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
        } catch let fault as OfferIssueFault {
            throw fault
        } catch {
            throw .randomness
        }
    }

    private func setWay(_ way: OfferTerms.Way, _ nonce: [UInt8], of fields: inout OfferFields) throws {
        switch way {
        case .issuerID:
            fields.issuerID = try seed.issuerKey(nonce).publicKey
        case .introductions(let introductions, let withIssuerID):
            guard !introductions.isEmpty else { throw BlindedPathFault.noHops }
            guard introductions.count <= Self.maximumPaths else { throw OfferIssueFault.tooManyPaths }
            fields.paths = try introductions.enumerated().map { index, introduction in
                let path = OfferPath(index: index, nonce: nonce)
                return try route(from: introduction, path).blinded(secret: seed.pathSecret(path))
            }
            if withIssuerID { fields.issuerID = try seed.issuerKey(nonce).publicKey }
        }
    }

    /// Over the node to our key; an introduction that is our own node has no hop before it.
    private func route(from introduction: PublicKey, _ path: OfferPath) throws(BlindedPathFault) -> BlindedRoute {
        let isOurs = introduction == nodeKey.publicKey
        return try MessagePath.route(
            to: nodeKey.publicKey,
            through: isOurs ? [] : [MessagePath.Relay(nodeID: introduction)],
            pathID: seed.pathID(path)
        )
    }
}

/// Why an offer cannot be made.
public enum OfferIssueFault: Error, Hashable, Sendable {
    /// The terms break a rule of BOLT 12.
    case offer(OfferFault)
    /// The path cannot be made.
    case path(BlindedPathFault)
    /// More paths than `OfferIssuer.maximumPaths`.
    case tooManyPaths
    /// There are no random bytes.
    case randomness
}

extension OfferIssuer {
    /// The key that signs the invoices of an offer, when the offer is ours and unchanged; nil for all others. Looks nothing
    /// up, and takes as long for an offer that is nearly ours as for one that is not.
    ///
    /// An offer without issuer id is signed for by the last blinded id of the path that was taken, `pathIndex`.
    public func signingKey(of offer: Offer, pathIndex: Int = 0) -> SecretKey? {
        if let key = importedKeys[offer.id] { return key }
        guard let nonce = seed.nonce(of: offer) else { return nil }
        if offer.issuerID != nil { return try? seed.issuerKey(nonce) }
        guard let paths = offer.paths, paths.indices.contains(pathIndex),
            case .node(let introduction) = paths[pathIndex].introductionNode
        else { return nil }
        return try? blindedKey(from: introduction, OfferPath(index: pathIndex, nonce: nonce))
    }

    private func blindedKey(from introduction: PublicKey, _ path: OfferPath) throws -> SecretKey {
        let pathKey = try route(from: introduction, path).recipientPathKey(secret: seed.pathSecret(path))
        return try HopSecret(pathKey: pathKey, nodeKey: nodeKey).blindedKey(of: nodeKey)
    }

    /// The path of an offer of ours that a path id stands for; nil for every other path id. It needs no offer and no lookup,
    /// so that it can be asked before anything else is done with a message.
    public func path(of pathID: SecretBytes) -> OfferPath? {
        seed.path(of: pathID)
    }

    /// Whether the offer is ours and unchanged. Looks nothing up.
    public func isOurs(_ offer: Offer) -> Bool {
        importedKeys[offer.id] != nil || seed.nonce(of: offer) != nil
    }

    /// Whether the path is one of this offer's.
    public func isPath(_ path: OfferPath, of offer: Offer) -> Bool {
        seed.nonce(of: offer) == path.nonce && offer.paths?.indices.contains(path.index) ?? false
    }
}
