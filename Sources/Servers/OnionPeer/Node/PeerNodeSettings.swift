package import LightningCoding
package import LightningCrypto
package import OnionMessages

package struct PeerNodeSettings: Sendable {
    /// The node's key: its public key is our node id, and paths end there.
    package var key: SecretKey
    /// The chain; nil while unknown: then none is named, and peers of every chain are accepted.
    package var network: Network?
    /// The peers to stay connected to.
    package var peers: [PeerAddress] = []
    /// How many connections to keep with each of them, each with its own key: some nodes limit each connection to about
    /// four messages a second. Only the first one receives requests.
    package var connectionsPerPeer = 1
    /// The listen address; nil for none.
    package var listen: ListenAddress?
    package var maximumIncoming = 100
    /// A SOCKS 5 proxy for all outgoing connections.
    package var proxy: ListenAddress?
    /// Addresses of other nodes that an answer may have to be sent to.
    package var addresses: [PeerAddress] = []
    package var limits = PeerLimits()

    /// A node without peers.
    package init(key: SecretKey, network: Network?) {
        self.key = key
        self.network = network
    }

    /// The node's keys, one for each connection with the same peer. All but the first are derived from it, so that
    /// there is only one key to keep.
    package var keys: [SecretKey] {
        [key]
            + (1..<max(1, connectionsPerPeer)).compactMap { index in
                let purpose = Array("lightning peer connection \(index)".utf8)
                return try? SecretKey(key.withBytes { HMACSHA256.deriveSecret(from: purpose, key: $0) })
            }
    }
}
