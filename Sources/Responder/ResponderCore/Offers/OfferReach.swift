import BlindedPaths
import Bolt12
package import LightningCoding
package import LightningCrypto
package import ResponderModel

package struct OfferReach: Hashable, Sendable {
    /// Whether the offer is enabled and ours to answer: we never answer for a disabled or expired offer.
    package let isOn: Bool
    /// The URL to which a forwarder posts requests; nil when the domain of the account was removed.
    package let webhook: HTTPURL?
    /// Whether the offer names a node that can receive requests over the Lightning network; without one, the payer must
    /// know the forwarder.
    package let hasPath: Bool
    package let backend: BackendName?
    /// How offers of that node are paid; a fault when the node did not answer, nil when there is no such node.
    package let capability: OfferCapability?
    /// Whether the node made the offer: then only the node has its key.
    package let isNodes: Bool
    package let state: IssuedOffer.State
    /// Whether the node that made the offer answers requests for it: until it is disabled at the node or expires.
    package let isAnsweredByNode: Bool
    private let isOffAtNode: Bool
    /// The introduction nodes of the offer's paths to which our own Lightning peer is connected now; nil without a peer
    /// of ours, or when it could not be asked.
    package let introductions: [PublicKey]?

    /// Determines the reach of an offer.
    ///
    /// - Parameters:
    ///   - backend: the node that made it, or that of its account; nil when the account was deleted.
    ///   - capability: how offers of that node are paid; a fault when the node did not answer, nil when there is no
    ///     such node.
    ///   - peers: the nodes through which our own Lightning peer can be reached now; nil without a peer of ours, or
    ///     when it could not be asked.
    package init(
        of offer: IssuedOffer, webhook: HTTPURL?, backend: BackendName?,
        capability: OfferCapability?, peers: [PublicKey]?, at now: UnixTime
    ) {
        let named = (offer.offer.paths ?? []).map(\.introductionNode)
        introductions = peers.map { peers in peers.filter { named.contains(.node($0)) } }
        state = offer.state(at: now)
        isNodes = offer.origin == .node
        isOffAtNode = offer.disabledAtNodeAt != nil
        self.capability = capability
        let isBuiltHere = if case .success(.builtHere)? = capability { true } else { false }
        isOn = state == .open && !isNodes && isBuiltHere
        isAnsweredByNode =
            isNodes && capability != nil && !offer.offer.isExpired(at: now) && offer.disabledAtNodeAt == nil
        self.webhook = webhook
        hasPath = offer.offer.paths != nil
        self.backend = backend
    }

    /// A member for each way; `nodeAnswers` when the capability is unknown.
    package var json: JSONValue {
        var members: JSONObject = [
            "forwarder": [
                "now": .bool(isOn), "webhook": .text(webhook?.text), "overLightning": .bool(isOn && hasPath),
            ],
            "node": ["now": .bool(isAnsweredByNode)],
            "peer": [
                "now": .bool(isOn && introductions?.isEmpty == false),
                "introductions": .array((introductions ?? []).map { .string($0.hexadecimal) }),
            ],
        ]
        if isUnknown { members.append("nodeAnswers", false) }
        return .object(members)
    }

    /// Whether the offer is open but its node does not say whether it can be paid.
    private var isUnknown: Bool {
        guard state == .open, !isNodes, case .failure? = capability else { return false }
        return true
    }

    private var name: String { backend?.description ?? "its account's node" }

    private var nodeLines: [String] {
        guard isAnsweredByNode else {
            return [
                state == .expired || backend == nil || isOffAtNode
                    ? "not reachable: requests for it are no longer answered"
                    : "not reachable from here: no node named \(name) is configured"
            ]
        }
        return [
            state == .disabled
                ? "still through the node: \(name) answers requests for it until `offer disable` succeeds there"
                : "through the node: \(name) answers requests for it and creates its invoices",
            "not through a forwarder or our own Lightning peer: only the node has the offer's key",
        ]
    }

    private var peerLine: String {
        guard let introductions else { return "not through our own Lightning peer: none is configured or running" }
        guard hasPath else { return "not through our own Lightning peer: the offer has no path" }
        let count = introductions.count
        return count == 0
            ? "not through our own Lightning peer: it is not connected to any node at which the offer's paths begin"
            : "through our own Lightning peer: reachable through \(count) peer\(count == 1 ? "" : "s")"
    }

    package var lines: [String] {
        guard !isNodes else { return nodeLines }
        guard isOn else {
            if isUnknown {
                return ["unknown: \(name) does not answer, and no invoice is issued for the offer until it does"]
            }
            let isOver = state != .open || backend == nil
            return [
                isOver
                    ? "not reachable: requests for it are no longer answered"
                    : "not reachable: \(name) does not support BOLT12"
            ]
        }
        let path =
            hasPath
            ? "the first node of its path receives requests for it and must forward them"
            : "it names no node, so payers must know the forwarder"
        let machine = webhook?.isLoopback == true ? "; this URL only works on this machine" : ""
        return [
            "through a forwarder that posts requests to \(webhook?.text ?? "us") (\(path)\(machine))",
            "not through the node's own BOLT12: \(name) does not create invoices for offers",
            peerLine,
        ]
    }
}

extension Responder {
    /// How each of these offers can be reached now. A node that does not answer is asked only once.
    ///
    /// - Parameter peers: the nodes through which our own Lightning peer can be reached now; nil without a peer of ours, or
    ///   when it could not be asked.
    package func reach(
        of offers: [IssuedOffer], secrets: WebhookSecrets, peers: [PublicKey]?
    ) async throws(LedgerFault) -> [OfferReach] {
        var known: [BackendName: OfferCapability] = [:]
        var reached: [OfferReach] = []
        for offer in offers {
            let account = try await accounts.account(named: offer.account)
            let domain = try await accounts.domains()[offer.account.domain]
            let backend = offer.maker?.backend ?? account?.settings.backend
            if let backend, known[backend] == nil { known[backend] = await offerCapability(of: backend) }
            reached.append(
                OfferReach(
                    of: offer, webhook: domain.map { secrets.url(of: offer.account.name, in: $0) }, backend: backend,
                    capability: backend.flatMap { known[$0] }, peers: peers, at: clock()))
        }
        return reached
    }
}

extension IssuedOffer {
    package enum State: String, CaseIterable, Hashable, Sendable {
        case open
        case expired
        case disabled
    }

    package func state(at now: UnixTime) -> State {
        if disabledAt != nil { return .disabled }
        return offer.isExpired(at: now) ? .expired : .open
    }
}

extension OfferTerms.Way {
    /// Paths that begin at our connected nodes, as many as an offer may have; nil when there are none.
    package init?(peers: [PublicKey], withIssuerID: Bool) {
        guard !peers.isEmpty else { return nil }
        self = .introductions(Array(peers.prefix(OfferIssuer.maximumPaths)), withIssuerID: withIssuerID)
    }
}
