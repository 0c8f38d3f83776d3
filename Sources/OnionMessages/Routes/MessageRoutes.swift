public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// The ways by which a message can be sent over a blinded path, the best first.
///
/// No node tells whether it passed a message on. So first comes what cannot fail unseen: the path begins at a peer of ours.
/// Then the peer from which the question came, since payers name as the beginning of the way back themselves or a peer of
/// theirs, which that peer mostly knows. Then the others. Last comes the introduction node itself, for whoever can connect to it.
public struct MessageRoutes: Hashable, Sendable {
    /// Ways through peers, the best first.
    public let throughPeers: [MessageRoute]
    /// The way for whoever connects to the path's introduction node first; nil where that is a peer already.
    public let afterConnecting: MessageRoute?

    /// The most hops of a path that is gone. Each costs us two curve operations, which a stranger would make us do; real paths
    /// have three, or ten where they hide their length.
    public static let maximumHops = 32

    /// Why there is no way at all.
    public enum Fault: Error, Hashable, Sendable {
        /// The path has more than `maximumHops`.
        case tooManyHops
        /// The path ends at ourselves.
        case endsHere
        /// It begins at a channel that cannot be looked up.
        case unknownChannel(ShortChannelID)
        /// It begins at ourselves, and leads nowhere.
        case path(OnionFault)
    }

    /// How a channel is looked up of which one end is a path's introduction node.
    public typealias ChannelLookup = @Sendable (ShortChannelID, IntroductionNode.Direction) -> PublicKey?

    /// Finds the ways.
    ///
    /// - `path`: somebody's; where it begins at ourselves, our hops are taken off.
    /// - `peers`: those connected now, the best first.
    /// - `source`: the peer that brought the message to be answered.
    public init(
        over path: BlindedPath, from nodeKey: SecretKey, peers: [PublicKey], source: PublicKey? = nil,
        lookup: ChannelLookup = { _, _ in nil }
    ) throws(Fault) {
        guard path.hops.count <= Self.maximumHops else { throw .tooManyHops }
        let rest: BlindedPath?
        do {
            rest = try path.advanced(past: nodeKey)
        } catch {
            throw .path(error)
        }
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
