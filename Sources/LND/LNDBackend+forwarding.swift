public import Contracts
import LightningCoding
public import LightningCrypto
import Nodes
import OutboundHTTP

extension LNDBackend: ForwardingNode {
    /// This node.
    public var forwarding: (any ForwardingNode)? { self }

    /// The open channels with a peer, by `ListChannels`. None is active while the peer is not connected.
    public func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer? {
        let answer = try await ask { client throws(LNDFault) in
            try await client.call(
                .get, "/v1/channels", query: [("peer", Base64.encode(key.bytes))], needing: .readChannels)
        }
        var channels: [ForwardingPeer.Channel] = []
        for channel in try answer.elements("channels")
        where try channel.parsed("remote_pubkey", { try PublicKey(hexadecimal: $0) }) == key {
            channels.append(
                ForwardingPeer.Channel(
                    isEnabled: try channel.flag("active"), sendable: try LNDChannel.spendable(by: .own, channel)))
        }
        guard !channels.isEmpty else { return nil }
        return ForwardingPeer(isConnected: channels.contains(where: \.isEnabled), channels: channels)
    }
}
