package import LightningCrypto
package import OnionMessages

package struct PeerStatus: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case connecting
        /// Open, for this long.
        case open(Duration)
        /// Ended or never opened; the time until the next attempt.
        case waiting(Duration)
    }

    package var nodeID: PublicKey
    package var own: PublicKey
    package var host: String
    package var isIncoming: Bool
    package var state: State
    /// The features of the peer; nil before its `init`.
    package var features: PeerFeatures?
    /// The traffic since the connection opened.
    package var traffic: PeerTraffic
    package var waiting: Int
    /// Why the last connection ended or could not be opened; nil when nothing went wrong.
    package var lastEnd: ConnectionEnd?

    /// Whether requests can reach us through it now.
    package var isIntroduction: Bool {
        guard case .open = state, !isIncoming else { return false }
        return features?.has(.onionMessages) ?? false
    }
}
