import Bolt12
public import LightningCoding
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

    /// Looks at an offer.
    ///
    /// - Parameter backend: the node of its account; nil when the account is gone.
    public init(of offer: IssuedOffer, webhook: HTTPURL, backend: BackendName?, at now: UnixTime) {
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
            "peer": ["now": false],
        ]
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
            "not yet by a Lightning peer of our own",
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
