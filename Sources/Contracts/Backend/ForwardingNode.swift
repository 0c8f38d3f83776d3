public import LightningCoding
public import LightningCrypto

/// A node that forwards payments to its peers, and tells what keeps it from doing so.
public protocol ForwardingNode: Sendable {
    /// What the node knows of a peer; nil when it has no open channel with it.
    func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer?
}

/// What a node knows of a peer.
public struct ForwardingPeer: Hashable, Sendable {
    /// Whether the two are connected.
    public let isConnected: Bool
    /// Their open channels.
    public let channels: [Channel]

    /// A channel with the peer.
    public struct Channel: Hashable, Sendable {
        /// Whether it forwards at all.
        public let isEnabled: Bool
        /// The most that it can forward to the peer now.
        public let sendable: Millisatoshi

        /// Creates a channel.
        public init(isEnabled: Bool, sendable: Millisatoshi) {
            self.isEnabled = isEnabled
            self.sendable = sendable
        }
    }

    /// Creates a peer.
    public init(isConnected: Bool, channels: [Channel]) {
        self.isConnected = isConnected
        self.channels = channels
    }
}
