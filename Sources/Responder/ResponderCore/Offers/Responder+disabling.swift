package import Bolt12
package import ResponderModel

extension Responder {
    /// Disables an offer, also at the node that made it, since that answers requests for it itself.
    ///
    /// What a node cannot do is not recorded as done. When the node does not answer, the offer is disabled here and
    /// counts as enabled there; calling this again retries.
    ///
    /// - Returns: nil when there is no such offer.
    package func disableOffer(_ id: OfferID) async throws(LedgerFault) -> DisabledOffer? {
        guard let offer = try await ledger.offer(id) else { return nil }
        let end = offer.origin == .node ? await disableAtNode(offer) : .ours
        if end.isOffHere { _ = try await ledger.disableOffer(id, at: clock()) }
        if end == .offAtNode { _ = try await ledger.noteDisabledAtNode(id, at: clock()) }
        return try await ledger.offer(id).map { DisabledOffer(offer: $0, end: end) }
    }

    private func disableAtNode(_ offer: IssuedOffer) async -> DisabledOffer.End {
        guard let maker = offer.maker else { return .makerUnknown }
        let name = maker.backend
        let node: ReceivingNode
        do {
            node = try await nodes.node(named: name)
        } catch {
            return .stillOn(name, error)
        }
        guard node.info.nodeID == maker.nodeID else { return .stillOn(name, .ledger(.anotherNode(maker.nodeID))) }
        do {
            try await node.backend.disableOffer(offer.offer.id)
            return .offAtNode
        } catch {
            return error == .unsupported ? .cannot(name) : .stillOn(name, .backend(name, error))
        }
    }
}

package struct DisabledOffer: Hashable, Sendable {
    /// The offer, as stored now.
    package let offer: IssuedOffer
    package let end: End

    /// Whether an offer is disabled, here and at its node.
    package enum End: Hashable, Sendable {
        case ours
        case offAtNode
        case cannot(BackendName)
        /// It is disabled here, but the node failed to disable it and still answers requests.
        case stillOn(BackendName, Refusal.Cause)
        /// It is disabled here, and the node that made it is not recorded.
        case makerUnknown

        fileprivate var isOffHere: Bool { if case .cannot = self { false } else { true } }
    }

    package var isWorthRepeating: Bool {
        if case .stillOn(_, let cause) = end { cause.isTransient } else { false }
    }

    /// The text for the operator when the offer is not fully disabled; else nil.
    package var reason: String? {
        let shown = "payments for it are still recorded under \(offer.account)"
        return switch end {
        case .ours, .offAtNode: nil
        case .cannot(let name):
            "the offer stays enabled: \(name) cannot disable its offers, and keeps answering requests for it; \(shown)"
        case .stillOn(let name, let cause):
            "the offer is disabled here, but still enabled at \(name), which did not disable it: \(cause.words); \(shown); "
                + "disable it again"
        case .makerUnknown:
            "the offer is disabled here, but still enabled at the node that made it, which was not recorded"
        }
    }
}

extension Refusal.Cause {
    fileprivate var words: String {
        switch self {
        case .noBackend: "no node of that name is configured"
        case .ledger(let fault): fault.reason
        case .backend(_, let fault): fault.reason
        default: operatorReason
        }
    }
}
