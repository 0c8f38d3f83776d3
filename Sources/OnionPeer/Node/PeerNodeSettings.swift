public import LightningCoding
public import LightningCrypto
public import OnionMessages

/// What our node is among others, and whom it knows.
public struct PeerNodeSettings: Sendable {
    /// The node's key: by its public part peers know us, and paths end there.
    public var key: SecretKey
    /// The chain; nil while it is not known: then none is named, and peers of every chain fit.
    public var network: Network?
    /// With whom to be connected at all times.
    public var peers: [PeerAddress] = []
    /// How many connections to hold with each of them, each with a key of its own: some nodes take about four messages a
    /// second from each connection, whatever comes over the others. Only the first takes requests in.
    public var connectionsPerPeer = 1
    /// Where to take connections in; nil for nowhere.
    public var listen: ListenAddress?
    /// How many connections to take in.
    public var maximumIncoming = 100
    /// A SOCKS 5 proxy for all connections that are opened.
    public var proxy: ListenAddress?
    /// Where other nodes are, that an answer may have to go to.
    public var addresses: [PeerAddress] = []
    /// What a connection may cost.
    public var limits = PeerLimits()

    /// A node that is connected with nobody.
    public init(key: SecretKey, network: Network?) {
        self.key = key
        self.network = network
    }

    /// The node's own keys, one for each connection with the same peer. All but the first are derived from it, so that there
    /// is one key to keep.
    public var keys: [SecretKey] {
        [key]
            + (1..<max(1, connectionsPerPeer)).compactMap { index in
                let purpose = Array("lightning peer connection \(index)".utf8)
                return try? SecretKey(key.withBytes { HMACSHA256.deriveSecret(from: purpose, key: $0) })
            }
    }
}
