package import LightningCoding
package import LightningCrypto
package import OnionMessages
package import Platform

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
    /// How many onion messages a network may send that has connected to us; nil for unlimited.
    package var requests: RateLimit?
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

/// Limits of one connection. A nil rate is unlimited.
package struct PeerLimits: Hashable, Sendable {
    /// How long connecting, handshake and `init` may take together.
    package var opening: Duration = .seconds(15)
    /// How long after our last ping the next one is sent. Other implementations disconnect after a minute of silence.
    package var pingInterval: Duration = .seconds(30)
    package var pongTime: Duration = .seconds(30)

    /// How often a peer may ping. LDK pings every ten seconds, all others less often.
    package var pings = RateLimit(burst: 30, interval: .seconds(1))
    package var arrivals = RateLimit(burst: 100, interval: .milliseconds(20))

    /// How many bytes are read from a peer: a megabyte at once, then one megabyte a second, the rate to which Core
    /// Lightning (pull request 8983) also limits its own gossip. A peer that sends more is read later but stays
    /// connected; LDK, too, stops reading from peers that send more than it can process. A message counts as at least
    /// `smallestMessage`.
    package var reading = RateLimit(burst: 1_000_000, interval: .microseconds(1))
    /// The bytes that a shorter message counts as, since it costs as much time to read.
    package var smallestMessage = 256

    /// How many onion messages are sent to a peer. Core Lightning accepts four at once, then one per 250 ms, and drops
    /// the rest; we stay slightly below, since messages may arrive closer together than they were sent.
    package var departures = RateLimit(burst: 3, interval: .milliseconds(262))
    /// How many onion messages may be queued; more are dropped. An answer that waited longer would come too late.
    package var departureQueue = 16

    package init() {}
}
