public import LightningCoding
public import LightningCrypto

/// Builds blinded paths for onion messages.
public enum MessagePath {
    /// A node that forwards messages.
    public struct Relay: Hashable, Sendable {
        /// Its real id.
        public let nodeID: PublicKey
        /// Its channel to the next node, which takes 25 bytes less than the node id; nil uses the node id.
        public let outgoingChannel: ShortChannelID?

        /// Creates a relay; the channel is optional.
        public init(nodeID: PublicKey, outgoingChannel: ShortChannelID? = nil) {
            self.nodeID = nodeID
            self.outgoingChannel = outgoingChannel
        }
    }

    /// A route to `recipient`; blind it with a fresh secret. Without relays the recipient is the introduction node.
    ///
    /// - `pathID`: identifies the path to the recipient.
    /// - `dummyHops`: how many extra times the recipient is in the route, to hide its length.
    /// - `isPadded`: whether all encrypted data gets the same length.
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

    /// A route of our own relays in front of another party's path: the last relay is given the path's introduction node
    /// and first path key. The path's hops follow those of this route, as in `BlindedPath.followed(by:)`.
    ///
    /// `introduction`: the id of the path's introduction node, looked up if the path names it by a channel.
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
    /// This path followed by the other's hops. This path's last data must hold the other's first path key.
    public func followed(by other: BlindedPath) throws(BlindedPathFault) -> BlindedPath {
        try BlindedPath(introductionNode: introductionNode, firstPathKey: firstPathKey, hops: hops + other.hops)
    }
}
