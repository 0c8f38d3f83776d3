public import Bolt12
import LightningCoding
import LightningCrypto
public import Contracts

extension Responder {
    /// Switches an offer off, at the node too where a node made it: that one answers requests for it itself.
    ///
    /// What a node cannot do is not written down as done. When it does not answer, the offer is off here and counts as on
    /// there; the same again tries the node again.
    ///
    /// - Returns: nil when there is no such offer.
    public func disableOffer(_ id: OfferID) async throws(LedgerFault) -> DisabledOffer? {
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

/// What became of an offer that was to be switched off.
public struct DisabledOffer: Hashable, Sendable {
    /// The offer as it stands now.
    public let offer: IssuedOffer
    /// Whether it is off.
    public let end: End

    /// Whether an offer is off, here and where it is answered.
    public enum End: Hashable, Sendable {
        /// It is ours, and off.
        case ours
        /// The node that made it has switched it off.
        case offAtNode
        /// The node cannot switch its offers off: it stays on.
        case cannot(BackendName)
        /// It is off here, but the node did not switch it off, and goes on answering requests.
        case stillOn(BackendName, Refusal.Cause)
        /// It is off here, and nobody wrote down which node made it.
        case makerUnknown

        /// Whether nobody gets an invoice for it any more.
        public var isComplete: Bool { self == .ours || self == .offAtNode }

        fileprivate var isOffHere: Bool { if case .cannot = self { false } else { true } }
    }

    /// Whether the same again may switch it off everywhere.
    public var isWorthRepeating: Bool {
        if case .stillOn(_, let cause) = end { cause.isTransient } else { false }
    }

    /// What the operator reads when the offer is not off; nil when it is.
    public var reason: String? {
        let shown = "what is paid for it is still written down under \(offer.account)"
        return switch end {
        case .ours, .offAtNode: nil
        case .cannot(let name):
            "the offer stays on: \(name) cannot switch its offers off, and goes on answering requests for it; \(shown)"
        case .stillOn(let name, let cause):
            "the offer is off here, but still live at \(name), which did not switch it off: \(cause.words); \(shown); "
                + "disable it again"
        case .makerUnknown:
            "the offer is off here, but still live at the node that made it, and nobody wrote down which one that was"
        }
    }
}

extension Refusal.Cause {
    /// What the operator reads of a node that did not do something.
    fileprivate var words: String {
        switch self {
        case .noBackend: "no node of that name is configured"
        case .ledger(let fault): fault.reason
        case .backend(_, let fault): fault.reason
        default: operatorReason
        }
    }
}
