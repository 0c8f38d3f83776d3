package import LightningCoding
package import LightningCrypto

/// A node that forwards payments to its peers, and tells what keeps it from doing so.
package protocol ForwardingNode: Sendable {
    /// What the node knows of a peer; nil when it has no open channel with it.
    func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer?
}

package struct ForwardingPeer: Hashable, Sendable {
    package let isConnected: Bool
    package let channels: [Channel]

    package struct Channel: Hashable, Sendable {
        package let isEnabled: Bool
        /// The most that it can forward to the peer now.
        package let sendable: Millisatoshi

        package init(isEnabled: Bool, sendable: Millisatoshi) {
            self.isEnabled = isEnabled
            self.sendable = sendable
        }
    }

    package init(isConnected: Bool, channels: [Channel]) {
        self.isConnected = isConnected
        self.channels = channels
    }
}
