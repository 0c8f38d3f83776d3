import BlindedPaths
package import Bolt12
package import LightningCoding
package import LightningCrypto

package struct OfferIssuer: Sendable {
    /// The maximum number of paths in an offer: enough for all useful peers, few enough for a scannable QR code.
    package static let maximumPaths = OfferSeed.maximumPaths

    private let seed: OfferSeed
    private let nodeKey: SecretKey
    private let importedKeys: ImportedKeys

    package init(seed: OfferSeed, nodeKey: SecretKey, importedKeys: ImportedKeys = ImportedKeys()) {
        self.seed = seed
        self.nodeKey = nodeKey
        self.importedKeys = importedKeys
    }

    /// - Parameters:
    ///   - random: the source of the offer's nonce, 16 bytes.
    /// - Throws: the broken rule of BOLT 12, or that there is no randomness or no path.
    package func issue(
        _ terms: OfferTerms,
        on network: Network,
        random: RandomSource
    ) throws(OfferRefusal) -> Offer {
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
        } catch let fault as OfferRefusal {
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
            guard introductions.count <= Self.maximumPaths else { throw OfferRefusal.tooManyPaths }
            fields.paths = try introductions.enumerated().map { index, introduction in
                let path = OfferPath(index: index, nonce: nonce)
                return try route(from: introduction, path).blinded(secret: seed.pathSecret(path))
            }
            if withIssuerID { fields.issuerID = try seed.issuerKey(nonce).publicKey }
        }
    }

    /// Over the node to our key; when we are the introduction node, no hop comes before.
    private func route(from introduction: PublicKey, _ path: OfferPath) throws(BlindedPathFault) -> BlindedRoute {
        let isOurs = introduction == nodeKey.publicKey
        return try MessagePath.route(
            to: nodeKey.publicKey,
            through: isOurs ? [] : [MessagePath.Relay(nodeID: introduction)],
            pathID: seed.pathID(path)
        )
    }
}

extension OfferIssuer {
    /// The key that signs the invoices of an offer, when the offer is ours and unmodified; else nil. No lookup; takes
    /// as long for a nearly valid offer as for any other.
    ///
    /// For an offer without issuer id, the last blinded id of the path used, `pathIndex`, signs.
    package func signingKey(of offer: Offer, pathIndex: Int = 0) -> SecretKey? {
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

    /// The path that a path id identifies, when it is ours; else nil. Needs neither an offer nor a lookup, so it can be
    /// checked first.
    package func path(of pathID: SecretBytes) -> OfferPath? {
        seed.path(of: pathID)
    }

    /// Whether the offer is ours and unmodified. No lookup.
    package func isOurs(_ offer: Offer) -> Bool {
        importedKeys[offer.id] != nil || seed.nonce(of: offer) != nil
    }

    package func isPath(_ path: OfferPath, of offer: Offer) -> Bool {
        seed.nonce(of: offer) == path.nonce && offer.paths?.indices.contains(path.index) ?? false
    }
}
