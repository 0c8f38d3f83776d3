import Bolt12
import BlindedPaths
public import LightningCoding
public import LightningCrypto
public import Receiving

/// By which ways requests for an offer reach us now.
public struct OfferReach: Hashable, Sendable {
    /// Whether the offer is on: an offer that is off, or over, is answered by no way.
    public let isOn: Bool
    /// Where a forwarder posts requests to.
    public let webhook: HTTPURL
    /// Whether the offer names a node that can take requests off the Lightning network; without one it is the forwarder who
    /// must be known to the payer.
    public let hasPath: Bool
    /// The node that is paid. No kind of node that can be used here answers offers itself.
    public let backend: BackendName?
    /// Those of the nodes at which the offer's paths begin with which our own Lightning peer is connected now; nil when there
    /// is no peer of ours, or none that could be asked.
    public let introductions: [PublicKey]?

    /// Looks at an offer.
    ///
    /// - Parameters:
    ///   - backend: the node of its account; nil when the account is gone.
    ///   - peers: those through which our own Lightning peer can be reached now; nil when there is no peer of ours, or none
    ///     that could be asked.
    public init(
        of offer: IssuedOffer, webhook: HTTPURL, backend: BackendName?, peers: [PublicKey]?, at now: UnixTime
    ) {
        let named = (offer.offer.paths ?? []).map(\.introductionNode)
        introductions = peers.map { peers in peers.filter { named.contains(.node($0)) } }
        isOn = offer.state(at: now) == .open && backend != nil
        self.webhook = webhook
        hasPath = offer.offer.paths != nil
        self.backend = backend
    }

    /// A member for each way.
    public var json: JSONValue {
        [
            "forwarder": [
                "now": .bool(isOn), "webhook": .string(webhook.text), "overLightning": .bool(isOn && hasPath),
            ],
            "node": ["now": false],
            "peer": [
                "now": .bool(isOn && introductions?.isEmpty == false),
                "introductions": .array((introductions ?? []).map { .string($0.hexadecimal) }),
            ],
        ]
    }

    private var peerLine: String {
        guard let introductions else { return "not by a Lightning peer of our own: none is configured, or none runs" }
        guard hasPath else { return "not by our own Lightning peer: the offer has no path" }
        let count = introductions.count
        return count == 0
            ? "not by our own Lightning peer: it is not connected with any node at which the offer's paths begin"
            : "by our own Lightning peer: reachable through \(count) peer\(count == 1 ? "" : "s")"
    }

    /// A line for each way.
    public var lines: [String] {
        guard isOn else { return ["by no way: it is not answered any more"] }
        let path =
            hasPath
            ? "the node at the beginning of its path takes requests for it and must forward them"
            : "it names no node on the way, so that a payer must know the forwarder"
        let machine = webhook.isLoopback ? "; this URL works on this machine only" : ""
        return [
            "by a forwarder that posts requests to \(webhook) (\(path)\(machine))",
            "not by the node's own BOLT12: \(backend?.description ?? "it") makes no invoices for offers",
            peerLine,
        ]
    }
}

extension IssuedOffer {
    /// Where an offer stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case open
        case expired
        case disabled
    }

    /// Where the offer stands at a moment.
    public func state(at now: UnixTime) -> State {
        if disabledAt != nil { return .disabled }
        return offer.isExpired(at: now) ? .expired : .open
    }
}
