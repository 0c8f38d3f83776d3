public import LightningCoding
public import LightningCrypto

/// What the operator's door knows of our own Lightning peer.
public struct PeerReporter: Sendable {
    /// The nodes with which we want to be connected at all times: paths of new offers begin there.
    public var wanted: [PublicKey]
    /// Those of them through which requests can reach us now.
    public var introductions: @Sendable () -> [PublicKey]
    /// One object for each connection.
    public var connections: @Sendable () -> [JSONValue]

    /// Puts the parts together.
    public init(
        wanted: [PublicKey],
        introductions: @escaping @Sendable () -> [PublicKey],
        connections: @escaping @Sendable () -> [JSONValue]
    ) {
        self.wanted = wanted
        self.introductions = introductions
        self.connections = connections
    }
}
