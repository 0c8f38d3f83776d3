import BlindedPaths
import LightningCoding
import LightningCrypto
import ResponderModel

/// A channel that can receive payments, from `listpeerchannels`.
struct PeerChannel: Hashable, Sendable {
    let peer: PublicKey
    /// Whether the channel is unannounced.
    let isPrivate: Bool
    /// What the peer could send us now: its balance, less its reserve, the fees that it must be able to pay, and
    /// pending HTLCs (computed by lightningd).
    let receivable: Millisatoshi
    /// The smallest HTLC that we accept.
    let htlcMinimum: Millisatoshi
    /// The hop from the peer to us; nil until the peer has announced its forwarding terms.
    let relay: PaymentPath.Relay?

    /// The required members of each channel: for a node with hundreds of channels the rest would be megabytes.
    static let filter: JSONValue = [
        "channels": [
            [
                "peer_id": true, "peer_connected": true, "state": true, "private": true, "short_channel_id": true,
                "alias": ["remote": true], "receivable_msat": true,
                "our_max_htlc_value_in_flight_msat": true, "minimum_htlc_in_msat": true,
                // `true` for an object would return it without members.
                "updates": [
                    "remote": [
                        "htlc_minimum_msat": true, "htlc_maximum_msat": true, "cltv_expiry_delta": true,
                        "fee_base_msat": true, "fee_proportional_millionths": true,
                    ]
                ],
            ]
        ]
    ]

    /// The open channels whose peer is connected.
    static func usable(in answer: NodeAnswer) throws(BackendFault) -> [PeerChannel] {
        var channels: [PeerChannel] = []
        for channel in try answer.elements("channels") {
            guard try isOpen(channel), try channel.flag("peer_connected") else { continue }
            channels.append(try PeerChannel(channel))
        }
        return channels
    }

    /// Whether a channel carries payments; one that is being spliced does.
    static func isOpen(_ channel: NodeAnswer) throws(BackendFault) -> Bool {
        ["CHANNELD_NORMAL", "CHANNELD_AWAITING_SPLICE"].contains(ExactText(try channel.text("state")))
    }

    private init(_ channel: NodeAnswer) throws(BackendFault) {
        peer = try channel.parsed("peer_id") { try PublicKey(hexadecimal: $0) }
        isPrivate = try channel.flag("private")
        guard channel.has("our_max_htlc_value_in_flight_msat") else {
            throw .malformedAnswer("the node is older than v25.02")
        }
        receivable = min(try channel.amount("receivable_msat"), try channel.amount("our_max_htlc_value_in_flight_msat"))
        htlcMinimum = try channel.amount("minimum_htlc_in_msat")
        relay = try Self.relay(of: peer, isPrivate: isPrivate, channel)
    }

    private static func relay(
        of peer: PublicKey, isPrivate: Bool, _ channel: NodeAnswer
    ) throws(BackendFault) -> PaymentPath.Relay? {
        guard let terms = try channel.optionalMember("updates")?.optionalMember("remote"),
            let id = try id(isPrivate, channel)
        else { return nil }
        guard let delta = UInt16(exactly: try terms.unsigned("cltv_expiry_delta")),
            let base = UInt32(exactly: try terms.unsigned("fee_base_msat")),
            let rate = UInt32(exactly: try terms.unsigned("fee_proportional_millionths"))
        else { throw channel.fault("updates") }
        return PaymentPath.Relay(
            nodeID: peer,
            next: .channel(id),
            terms: PaymentRelay(
                cltvExpiryDelta: delta, feeProportionalMillionths: rate, feeBase: base),
            htlcMinimum: try terms.amount("htlc_minimum_msat"),
            htlcMaximum: try terms.amount("htlc_maximum_msat")
        )
    }
    /// A private channel is used by the alias that the peer has assigned, which works whether or not the real id is to
    /// stay hidden.
    private static func id(_ isPrivate: Bool, _ channel: NodeAnswer) throws(BackendFault) -> ShortChannelID? {
        if isPrivate, let alias = try channel.optionalMember("alias"), alias.has("remote") {
            return try alias.parsed("remote") { try ShortChannelID(text: $0) }
        }
        guard channel.has("short_channel_id") else { return nil }
        return try channel.parsed("short_channel_id") { try ShortChannelID(text: $0) }
    }
}
