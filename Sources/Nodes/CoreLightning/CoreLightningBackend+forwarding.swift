import LightningCoding
package import LightningCrypto
package import ResponderModel

extension CoreLightningBackend: ForwardingNode {
    package var forwarding: (any ForwardingNode)? { self }

    /// The open channels with a peer, by `listpeerchannels`.
    package func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer? {
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
            // Whether the two have agreed on where the channel stands is told only of a peer that is connected.
            let isEnabled = isOnline ? try channel.flag("reestablished") : false
            let sendable = min(
                try channel.amount("spendable_msat"), try channel.amount("their_max_htlc_value_in_flight_msat"),
                try channel.amount("maximum_htlc_out_msat"))
            channels.append(Channel(isEnabled: isEnabled, sendable: sendable))
        }
        guard !channels.isEmpty else { return nil }
        self.init(isConnected: isConnected, channels: channels)
    }
}

extension CoreLightningBackend {
    /// The commands that the rune does not allow. Each is tried in a way that changes nothing at the node.
    package func missingPermissions() async throws(BackendFault) -> [String] {
        guard case .rest = configuration.transport else { return [] }
        var missing: [String] = []
        for (method, parameters) in probes {
            do throws(CommandFault) {
                _ = try await perform(method, parameters)
            } catch {
                switch error {
                case .notPermitted: missing.append(method)
                case .refused: continue
                default: throw BackendFault(error)
                }
            }
        }
        return missing
    }

    /// The rune is checked before the parameters: an allowed command fails because its required parameters are missing.
    private var probes: [(String, JSONObject)] {
        let nothing = String(repeating: "0", count: 64)
        let always: [(String, JSONObject)] = [
            ("getinfo", [:]),
            ("listpeerchannels", ["id": .string("02" + nothing)]),
            ("invoice", [:]),
            ("listinvoices", ["payment_hash": .string(nothing)]),
            ("waitanyinvoice", ["lastpay_index": .unsigned(UInt64(Int64.max)), "timeout": 0]),
            ("delinvoice", [:]),
        ]
        guard configuration.usesOwnOffers else { return always }
        return always + [("offer", [:]), ("listoffers", ["offer_id": .string(nothing)]), ("disableoffer", [:])]
    }
}
