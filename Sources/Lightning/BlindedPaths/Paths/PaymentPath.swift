public import LightningCoding
public import LightningCrypto

/// A blinded payment path with its costs: one pair of BOLT 12's `invoice_paths` and `invoice_blindedpay`.
public struct PaymentPath: Hashable, Sendable {
    /// The path.
    public let path: BlindedPath
    /// The aggregate of all its hops.
    public let payinfo: BlindedPayinfo

    /// A node that forwards payments, and its channel to the next.
    public struct Relay: Hashable, Sendable {
        /// Its real id.
        public let nodeID: PublicKey
        /// The next node, or the channel to it by its id or alias. Some nodes forward payments only by channel.
        public let next: NextNode
        /// Its fee and CLTV expiry delta.
        public var terms: PaymentRelay
        /// The minimum and maximum that it forwards in one HTLC.
        public let htlcMinimum, htlcMaximum: Millisatoshi

        /// Creates a relay.
        public init(
            nodeID: PublicKey, next: NextNode, terms: PaymentRelay, htlcMinimum: Millisatoshi,
            htlcMaximum: Millisatoshi
        ) {
            self.nodeID = nodeID
            self.next = next
            self.terms = terms
            self.htlcMinimum = htlcMinimum
            self.htlcMaximum = htlcMaximum
        }
    }

    /// The recipient's own side.
    public struct Destination: Sendable {
        /// Its real id.
        public let nodeID: PublicKey
        /// Identifies the payment to the recipient.
        public let pathID: SecretBytes
        /// The last block height at which a payment may start, not below the current one. Payers add random blocks and
        /// may see another height, so leave a margin of a day or more.
        public let expiryHeight: UInt32
        /// Blocks that must be left when the payment arrives.
        public let minFinalCLTVExpiryDelta: UInt16
        /// The minimum and maximum that it accepts in one HTLC.
        public let htlcMinimum, htlcMaximum: Millisatoshi

        /// Creates a destination.
        public init(
            nodeID: PublicKey, pathID: SecretBytes, expiryHeight: UInt32, minFinalCLTVExpiryDelta: UInt16,
            htlcMinimum: Millisatoshi = Millisatoshi(1), htlcMaximum: Millisatoshi = .maximum
        ) {
            self.nodeID = nodeID
            self.pathID = pathID
            self.expiryHeight = expiryHeight
            self.minFinalCLTVExpiryDelta = minFinalCLTVExpiryDelta
            self.htlcMinimum = htlcMinimum
            self.htlcMaximum = htlcMaximum
        }
    }

    /// Blinds a path to `destination`; without relays the recipient is the introduction node.
    ///
    /// `secret` must be fresh and random; `isPadded`: whether all encrypted data gets the same length.
    public init(
        to destination: Destination, through relays: [Relay] = [], secret: SecretKey, isPadded: Bool = true
    ) throws(PaymentPathFault) {
        payinfo = try BlindedPayinfo(to: destination, through: relays)
        let route = try BlindedRoute(to: destination, through: relays, htlcMinimum: payinfo.htlcMinimum)
        path = try rethrowing((isPadded ? route.padded() : route).blinded(secret: secret), as: PaymentPathFault.path)
    }
}

extension BlindedRoute {
    /// The data of each node: its `max_cltv_expiry` is the next node's plus its own delta (BOLT 4, "Requirements").
    fileprivate init(
        to destination: PaymentPath.Destination, through relays: [PaymentPath.Relay], htlcMinimum: Millisatoshi
    ) throws(PaymentPathFault) {
        var expiry = try destination.expiryHeight.later(by: destination.minFinalCLTVExpiryDelta)
        var last = RecipientData()
        last.pathID = destination.pathID
        last.paymentConstraints = PaymentConstraints(maxCLTVExpiry: expiry, htlcMinimum: htlcMinimum)
        var nodes = [Node(nodeID: destination.nodeID, data: last)]
        for relay in relays.reversed() {
            expiry = try expiry.later(by: relay.terms.cltvExpiryDelta)
            var data = RecipientData()
            data.setNext(relay.next)
            data.paymentRelay = relay.terms
            data.paymentConstraints = PaymentConstraints(maxCLTVExpiry: expiry, htlcMinimum: htlcMinimum)
            nodes.append(Node(nodeID: relay.nodeID, data: data))
        }
        self.init(nodes.reversed())
    }
}

extension UInt32 {
    fileprivate func later(by blocks: UInt16) throws(PaymentPathFault) -> UInt32 {
        let (height, overflow) = addingReportingOverflow(UInt32(blocks))
        guard !overflow else { throw .maxCLTVExpiryTooLarge }
        return height
    }
}

extension PaymentPath {
    /// A path and its payinfo as stated in an invoice.
    public init(path: BlindedPath, payinfo: BlindedPayinfo) {
        self.path = path
        self.payinfo = payinfo
    }
}

/// Why no payment path can be built over the given channels.
public enum PaymentPathFault: Error, NamedRule, Hashable, Sendable {
    /// The combined fees do not fit into 32 bits.
    case feeTooLarge
    /// The combined CLTV deltas do not fit into 16 bits.
    case cltvExpiryDeltaTooLarge
    /// `max_cltv_expiry` does not fit into 32 bits.
    case maxCLTVExpiryTooLarge
    /// The smallest channel maximum is below the required minimum.
    case maximumBelowMinimum
    /// The path itself cannot be built.
    case path(BlindedPathFault)
}

extension PaymentPathFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .feeTooLarge: "the fees of the path are too large"
        case .cltvExpiryDeltaTooLarge, .maxCLTVExpiryTooLarge: "the path takes too many blocks"
        case .maximumBelowMinimum: "the path lets less through than the least that may be sent"
        case .path: "the blinded path cannot be made"
        }
    }
}
