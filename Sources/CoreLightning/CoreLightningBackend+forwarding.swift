public import Contracts
import LightningCoding
public import LightningCrypto
import Nodes

extension CoreLightningBackend: ForwardingNode {
    /// This node.
    public var forwarding: (any ForwardingNode)? { self }

    /// The open channels with a peer, by `listpeerchannels`.
    public func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer? {
        let answer = try await call(
            "listpeerchannels", ["id": .string(key.hexadecimal)], filter: ForwardingPeer.filter)
        return try ForwardingPeer(answer)
    }
}

extension ForwardingPeer {
    /// The required members of each channel.
    static let filter: JSONValue = [
        "channels": [
            [
                "peer_connected": true, "reestablished": true, "state": true, "spendable_msat": true,
                "their_max_htlc_value_in_flight_msat": true, "maximum_htlc_out_msat": true,
            ]
        ]
    ]

    /// The channels of one peer; nil when none is open.
    fileprivate init?(_ answer: NodeAnswer) throws(BackendFault) {
        var isConnected = false
        var channels: [Channel] = []
        for channel in try answer.elements("channels") where try PeerChannel.isOpen(channel) {
            let isOnline = try channel.flag("peer_connected")
            isConnected = isConnected || isOnline
            // Versions before v23.08 do not say whether the two have agreed on where the channel stands.
            let isAgreed = channel.has("reestablished") ? try channel.flag("reestablished") : true
            let sendable = min(
                try channel.amount("spendable_msat"), try channel.amount("their_max_htlc_value_in_flight_msat"),
                try channel.amount("maximum_htlc_out_msat"))
            channels.append(Channel(isEnabled: isOnline && isAgreed, sendable: sendable))
        }
        guard !channels.isEmpty else { return nil }
        self.init(isConnected: isConnected, channels: channels)
    }
}
