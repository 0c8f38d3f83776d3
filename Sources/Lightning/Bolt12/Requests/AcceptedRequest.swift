import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// An invoice request that may be answered: it satisfies every rule for its reader, including the signature. Created
/// only by `InvoiceRequest.accepted`.
public struct AcceptedRequest: Hashable, Sendable {
    /// The request.
    public let request: InvoiceRequest
    /// Our offer that it answers.
    public let offer: Offer
    /// The amount of the invoice: the requested amount, or else the expected one.
    public let amount: Millisatoshi
    /// The key that must sign the invoice: the issuer's, or the last blinded node id of the path used.
    public let nodeID: PublicKey
    /// The path whose last blinded node id is `nodeID`; nil for the issuer's own key.
    public let pathIndex: Int?
    /// The request's tree, with which that of its invoice begins.
    let tree: MerkleTree
}

extension InvoiceRequest {
    /// Applies the rules for a request in response to an offer: the cheap ones first, the signature last.
    ///
    /// Throws the first broken rule; a fault with `isToBeIgnored` must not be answered.
    public func accepted(
        for offer: Offer, _ reception: RequestReception
    ) throws(InvoiceRequestFault) -> AcceptedRequest {
        guard mirrors(offer) else { throw .offerMismatch }
        let (nodeID, pathIndex) = try Self.signer(for: offer, reception.arrival)
        guard !offer.isExpired(at: reception.now) else { throw .offerExpired }
        try offer.fields.check(quantity: fields.quantity)
        guard reception.chains.contains(chainToPayOn), offer.acceptedChains.contains(chainToPayOn) else {
            throw .unsupportedChain
        }
        let amount = try amount(for: offer, reception)
        let tree = MerkleTree(stream.records)
        try checkSignature(of: tree)
        return AcceptedRequest(
            request: self, offer: offer, amount: amount, nodeID: nodeID, pathIndex: pathIndex, tree: tree)
    }

    private func mirrors(_ offer: Offer) -> Bool {
        let mirrored = offerRecords
        let original = offer.stream.records
        return mirrored.count == original.count && zip(mirrored, original).allSatisfy { $0.raw == $1.raw }
    }

    /// The key that must sign the invoice, once the path is checked.
    private static func signer(
        for offer: Offer, _ arrival: Arrival
    ) throws(InvoiceRequestFault) -> (PublicKey, pathIndex: Int?) {
        let paths = offer.fields.paths ?? []
        let taken: Int
        switch arrival {
        case .viaPath(let index):
            guard !paths.isEmpty else { throw .viaBlindedPath }
            guard paths.indices.contains(index) else { throw .notViaOfferPath }
            taken = index
        case .direct:
            guard paths.isEmpty else { throw .notViaOfferPath }
            taken = 0
        case .forwarder:
            taken = 0
        }
        if let issuer = offer.fields.issuerID { return (issuer, nil) }
        guard paths.indices.contains(taken), let last = paths[taken].hops.last else { throw .notViaOfferPath }
        return (last.blindedNodeID, taken)
    }

    private func amount(
        for offer: Offer, _ reception: RequestReception
    ) throws(InvoiceRequestFault) -> Millisatoshi {
        let expected = try offer.fields.expectedAmount(quantity: fields.quantity, converter: reception.converter)
        guard let amount = fields.amount ?? expected else { throw .missingAmount }
        guard amount <= .maximum else { throw .amountOverflow }
        guard let expected else { return amount }
        guard amount >= expected else { throw .amountTooLow(expected: expected) }
        if let multiple = reception.greatestMultiple, let most = try? expected.multiplied(by: multiple) {
            guard amount <= most else { throw .amountTooHigh(expected: expected) }
        }
        return amount
    }
}
