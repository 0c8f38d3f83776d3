public import LightningCoding
public import LightningCrypto

/// What the admin routes know of our own Lightning peer.
public struct PeerReporter: Sendable {
    /// The nodes to stay connected to: paths of new offers begin there.
    public var wanted: [PublicKey]
    /// Those of them through which requests can reach us now; nil while another instance is the peer.
    public var introductions: @Sendable () -> [PublicKey]?
    /// One object for each connection.
    public var connections: @Sendable () -> [JSONValue]

    /// Creates the reporter.
    public init(
        wanted: [PublicKey],
        introductions: @escaping @Sendable () -> [PublicKey]?,
        connections: @escaping @Sendable () -> [JSONValue]
    ) {
        self.wanted = wanted
        self.introductions = introductions
        self.connections = connections
    }
}
