import BlindedPaths
import LightningCoding

extension Invoice {
    /// Applies the rules for a payer who requested this invoice with `request`, in the order of the specification.
    /// Throws the first broken one.
    public func check(answering request: InvoiceRequest, _ reception: InvoiceReception) throws(InvoiceFault) {
        guard reception.chains.contains(chainToPayOn) else { throw .unsupportedChain }
        guard !isExpired(at: reception.now) else { throw .expired }
        if let type = firstMismatch(with: request) { throw .requestMismatch(type: type) }
        try checkNode(of: request.fields.offer, sentToPath: reception.sentToPath)
        try checkSignature()
        guard request.fields.amount == nil || request.fields.amount == amount else { throw .amountIsNotRequested }
        guard reception.authorized?.contains(amount) ?? true else { throw .amountNotAuthorized }
        try check(reception.arrival, answering: request)
    }

    /// The lowest type whose record differs between both.
    private func firstMismatch(with request: InvoiceRequest) -> UInt64? {
        let ours = stream.records.filter { TypeRanges.invoiceRequest.contain($0.type) }
        let theirs = request.stream.records.filter { TypeRanges.invoiceRequest.contain($0.type) }
        for (our, their) in zip(ours, theirs) where our.raw != their.raw {
            return min(our.type, their.type)
        }
        let surplus = ours.dropFirst(theirs.count).first ?? theirs.dropFirst(ours.count).first
        return surplus?.type
    }

    private func checkNode(of offer: OfferFields, sentToPath: Int?) throws(InvoiceFault) {
        if let issuer = offer.issuerID {
            guard nodeID == issuer else { throw .nodeIsNotIssuer }
        } else if let paths = offer.paths {
            let candidates = paths.indices.filter { sentToPath == nil || $0 == sentToPath }
            guard candidates.contains(where: { paths[$0].hops.last?.blindedNodeID == nodeID }) else {
                throw .nodeIsNotPathEnd
            }
        }
    }

    private func check(_ arrival: InvoiceArrival, answering request: InvoiceRequest) throws(InvoiceFault) {
        guard arrival != .outsideLightning else { return }
        if let paths = request.fields.paths {
            guard case .viaRequestPath(let index) = arrival, paths.indices.contains(index) else {
                throw .notViaRequestPath
            }
        } else if request.answersOffer {
            guard arrival == .viaReplyPath else { throw .notViaReplyPath }
        } else {
            guard arrival == .direct else { throw .viaBlindedPath }
        }
    }
}
