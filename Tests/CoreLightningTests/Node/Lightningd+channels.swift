import LightningCoding
import LightningCrypto
import Platform

extension Lightningd {
    /// `lightningd/peer_control.c`: those of one peer, if asked for; none of a peer that is not known.
    func listpeerchannels(_ parameters: Parameters, _ state: State) -> JSONValue {
        let peer = try? parameters.text("id")
        return ["channels": .array(state.channels.filter { peer == nil || $0["peer_id"]?.string == peer })]
    }

    /// Replaces the channels with a peer. What they can send was not recorded (`json_add_channel`).
    func openChannels(to peer: PublicKey, sendable: [Millisatoshi], isConnected: Bool) {
        let channels = sendable.map { amount in
            var channel = Recorded.channels[0].with("peer_id", .string(peer.hexadecimal))
                .with("peer_connected", .bool(isConnected)).with("spendable_msat", .unsigned(amount.msat))
                .with("their_max_htlc_value_in_flight_msat", .unsigned(.max))
                .with("maximum_htlc_out_msat", .unsigned(990_000_000))
            if isConnected { channel = channel.with("reestablished", true) }
            return channel
        }
        state.withLock { state in
            state.channels.removeAll { $0["peer_id"]?.string == peer.hexadecimal }
            state.channels += channels
        }
    }
}
