public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// The routes for a message over a blinded path, in order of preference.
///
/// Nodes do not report whether they forwarded a message. So the first choice is the one that cannot fail silently: the
/// path begins at a peer of ours. Next is the peer that delivered the request, since a reply path begins at the payer
/// or at one of the payer's peers, which that peer usually knows. Then the other peers. Last is the introduction node
/// itself, which requires a new connection.
public struct MessageRoutes: Hashable, Sendable {
    /// Routes through connected peers, in order of preference.
    public let throughPeers: [MessageRoute]
    /// The route after connecting to the path's introduction node; nil when that is already a peer.
    public let afterConnecting: MessageRoute?

    /// The most hops of a path that is followed. Each costs us two curve operations at a stranger's request; real paths
    /// have three hops, or ten when they hide their length.
    public static let maximumHops = 32

    /// Why there is no route.
    public enum Fault: Error, Hashable, Sendable {
        /// The path has more than `maximumHops`.
        case tooManyHops
        /// The path ends at our node.
        case endsHere
        /// It begins at a channel that cannot be resolved.
        case unknownChannel(ShortChannelID)
        /// It begins at our node, and leads nowhere.
        case path(OnionFault)
    }

    /// Resolves a channel end that is a path's introduction node.
    public typealias ChannelLookup = @Sendable (ShortChannelID, IntroductionNode.Direction) -> PublicKey?

    /// Finds the routes.
    ///
    /// - `path`: the other party's path; hops of our own at its beginning are removed.
    /// - `peers`: those connected now, in order of preference.
    /// - `source`: the peer that delivered the message to answer.
    public init(
        over path: BlindedPath, from nodeKey: SecretKey, peers: [PublicKey], source: PublicKey? = nil,
        lookup: ChannelLookup = { _, _ in nil }
    ) throws(Fault) {
        guard path.hops.count <= Self.maximumHops else { throw .tooManyHops }
        let rest = try rethrowing(path.advanced(past: nodeKey), as: Fault.path)
        guard let rest else { throw .endsHere }
        let introduction = try Self.introduction(of: rest, lookup)
        guard !peers.contains(introduction) else {
            throughPeers = [MessageRoute(path: rest, introduction: introduction, relay: nil)]
            afterConnecting = nil
            return
        }
        let relays = peers.filter { $0 == source } + peers.filter { $0 != source }
        throughPeers = relays.map { MessageRoute(path: rest, introduction: introduction, relay: $0) }
        afterConnecting = MessageRoute(path: rest, introduction: introduction, relay: nil)
    }

    private static func introduction(
        of path: BlindedPath, _ lookup: ChannelLookup
    ) throws(Fault) -> PublicKey {
        switch path.introductionNode {
        case .node(let nodeID):
            return nodeID
        case .channel(let channel, let direction):
            guard let nodeID = lookup(channel, direction) else { throw .unknownChannel(channel) }
            return nodeID
        }
    }
}
