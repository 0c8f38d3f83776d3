public import LightningCoding
public import LightningCrypto

/// How to make blinded paths for onion messages.
public enum MessagePath {
    /// A node that hands messages on.
    public struct Relay: Hashable, Sendable {
        /// Its real id.
        public let nodeID: PublicKey
        /// Its channel to the next node, which is 25 bytes shorter to name than the node; nil names the node.
        public let outgoingChannel: ShortChannelID?

        /// A node, and its channel to the next when it is to be named by that.
        public init(nodeID: PublicKey, outgoingChannel: ShortChannelID? = nil) {
            self.nodeID = nodeID
            self.outgoingChannel = outgoingChannel
        }
    }

    /// A route to `recipient`; blind it with a fresh secret. Without relays the recipient himself is its introduction.
    ///
    /// - `pathID`: what the recipient will know the path by.
    /// - `dummyHops`: how often the recipient stands in the route before its end, so that nobody can tell its length.
    /// - `isPadded`: whether all orders get the same length.
    public static func route(
        to recipient: PublicKey, through relays: [Relay] = [], pathID: SecretBytes?, dummyHops: UInt8 = 0,
        isPadded: Bool = true
    ) throws(BlindedPathFault) -> BlindedRoute {
        let dummies = repeatElement(Relay(nodeID: recipient), count: Int(dummyHops))
        var nodes = forwarders(relays + dummies, to: recipient)
        var last = RecipientData()
        last.pathID = pathID
        nodes.append(BlindedRoute.Node(nodeID: recipient, data: last))
        let route = BlindedRoute(nodes)
        return isPadded ? try route.padded() : route
    }

    /// One's own relays before somebody's path: the last one is told where that path begins, and with which path key.
    /// The path's hops follow behind those of this route, as in `BlindedPath.followed(by:)`.
    ///
    /// `introduction`: the id of the path's introduction node, looked up where the path names it by a channel.
    public static func route(
        through relays: [Relay], into path: BlindedPath, introduction: PublicKey
    ) -> BlindedRoute {
        var nodes = forwarders(relays, to: introduction)
        if let last = nodes.indices.last {
            nodes[last].data.nextPathKeyOverride = path.firstPathKey
        }
        return BlindedRoute(nodes)
    }

    private static func forwarders(_ relays: [Relay], to end: PublicKey) -> [BlindedRoute.Node] {
        zip(relays, relays.dropFirst().map(\.nodeID) + [end]).map { relay, following in
            var data = RecipientData()
            data.setNext(relay.outgoingChannel.map(NextNode.channel) ?? .node(following))
            return BlindedRoute.Node(nodeID: relay.nodeID, data: data)
        }
    }
}

extension BlindedPath {
    /// This path and then the other's hops. The last order of this one must hold the other's first path key.
    public func followed(by other: BlindedPath) throws(BlindedPathFault) -> BlindedPath {
        try BlindedPath(introductionNode: introductionNode, firstPathKey: firstPathKey, hops: hops + other.hops)
    }
}
