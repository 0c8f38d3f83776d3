public import LightningCrypto
public import OnionMessages

/// How things stand with one peer, over one connection.
public struct PeerStatus: Hashable, Sendable {
    /// Where a connection is in its life.
    public enum State: Hashable, Sendable {
        /// Being opened.
        case connecting
        /// Open, for so long.
        case open(Duration)
        /// Ended or never opened; the next attempt comes in so long.
        case waiting(Duration)
    }

    /// The node at the other end.
    public var nodeID: PublicKey
    /// The key by which it knows us.
    public var own: PublicKey
    /// Where it is, or whence it came.
    public var host: String
    /// Whether it has opened the connection.
    public var isIncoming: Bool
    /// Where the connection is in its life.
    public var state: State
    /// What the other end offers; nil while it has not said.
    public var features: PeerFeatures?
    /// What has passed since the connection is open.
    public var traffic: PeerTraffic
    /// How many onion messages wait for their turn.
    public var waiting: Int
    /// Why the last connection has ended, or never came to be; nil when nothing went wrong.
    public var lastEnd: ConnectionEnd?

    /// Whether requests can reach us through it now.
    public var isIntroduction: Bool {
        guard case .open = state, !isIncoming else { return false }
        return features?.has(.onionMessages) ?? false
    }
}
