public import LightningCrypto
public import OnionMessages

/// The status of one connection with a peer.
public struct PeerStatus: Hashable, Sendable {
    /// The state of a connection.
    public enum State: Hashable, Sendable {
        /// Being opened.
        case connecting
        /// Open, for this long.
        case open(Duration)
        /// Ended or never opened; the time until the next attempt.
        case waiting(Duration)
    }

    /// The node at the other end.
    public var nodeID: PublicKey
    /// The key by which it knows us.
    public var own: PublicKey
    /// Its address.
    public var host: String
    /// Whether the peer opened the connection.
    public var isIncoming: Bool
    /// The state of the connection.
    public var state: State
    /// The features of the peer; nil before its `init`.
    public var features: PeerFeatures?
    /// The traffic since the connection opened.
    public var traffic: PeerTraffic
    /// How many onion messages are queued.
    public var waiting: Int
    /// Why the last connection ended or could not be opened; nil when nothing went wrong.
    public var lastEnd: ConnectionEnd?

    /// Whether requests can reach us through it now.
    public var isIntroduction: Bool {
        guard case .open = state, !isIncoming else { return false }
        return features?.has(.onionMessages) ?? false
    }
}
