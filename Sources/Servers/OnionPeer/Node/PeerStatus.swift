package import LightningCrypto
package import OnionMessages

/// The status of one connection with a peer.
package struct PeerStatus: Hashable, Sendable {
    /// The state of a connection.
    package enum State: Hashable, Sendable {
        /// Being opened.
        case connecting
        /// Open, for this long.
        case open(Duration)
        /// Ended or never opened; the time until the next attempt.
        case waiting(Duration)
    }

    /// The node at the other end.
    package var nodeID: PublicKey
    /// The key by which it knows us.
    package var own: PublicKey
    /// Its address.
    package var host: String
    /// Whether the peer opened the connection.
    package var isIncoming: Bool
    /// The state of the connection.
    package var state: State
    /// The features of the peer; nil before its `init`.
    package var features: PeerFeatures?
    /// The traffic since the connection opened.
    package var traffic: PeerTraffic
    /// How many onion messages are queued.
    package var waiting: Int
    /// Why the last connection ended or could not be opened; nil when nothing went wrong.
    package var lastEnd: ConnectionEnd?

    /// Whether requests can reach us through it now.
    package var isIntroduction: Bool {
        guard case .open = state, !isIncoming else { return false }
        return features?.has(.onionMessages) ?? false
    }
}
