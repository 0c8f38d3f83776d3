import BlindedPaths
import LightningCoding
import LightningCrypto
import NodeHTTP
import Contracts

/// What `listpeerchannels` says of a channel that payments can come through.
struct PeerChannel: Hashable, Sendable {
    /// Whom the channel leads to.
    let peer: PublicKey
    /// Whether the network does not know the channel.
    let isPrivate: Bool
    /// What the peer could send us now: its side, less the reserve that it must keep, the fees that it must be able to pay, and
    /// what is under way already (lightningd reckons all that in).
    let receivable: Millisatoshi
    /// The least that we take in one HTLC.
    let htlcMinimum: Millisatoshi
    /// The peer's way to us: nil until it has told on which terms it forwards.
    let relay: PaymentPath.Relay?

    /// What is needed of each channel: of a node with hundreds the rest would be megabytes.
    static let filter: JSONValue = [
        "channels": [
            [
                "peer_id": true, "peer_connected": true, "state": true, "private": true, "short_channel_id": true,
                "alias": ["remote": true], "receivable_msat": true,
                "our_max_htlc_value_in_flight_msat": true, "minimum_htlc_in_msat": true,
                // `true` for an object would give it without members.
                "updates": [
                    "remote": [
                        "htlc_minimum_msat": true, "htlc_maximum_msat": true, "cltv_expiry_delta": true,
                        "fee_base_msat": true, "fee_proportional_millionths": true,
                    ]
                ],
            ]
        ]
    ]

    /// The channels that are open and whose peer is connected.
    static func usable(in answer: NodeAnswer) throws(BackendFault) -> [PeerChannel] {
        var channels: [PeerChannel] = []
        for channel in try answer.elements("channels") {
            let state = try channel.text("state")
            // A channel that is being spliced goes on working.
            guard ["CHANNELD_NORMAL", "CHANNELD_AWAITING_SPLICE"].contains(ExactText(state)),
                try channel.truth("peer_connected")
            else { continue }
            channels.append(try PeerChannel(channel))
        }
        return channels
    }

    private init(_ channel: NodeAnswer) throws(BackendFault) {
        peer = try channel.parsed("peer_id") { try PublicKey(hexadecimal: $0) }
        isPrivate = try channel.truth("private")
        receivable = min(try channel.amount("receivable_msat"), try channel.amount("our_max_htlc_value_in_flight_msat"))
        htlcMinimum = try channel.amount("minimum_htlc_in_msat")
        relay = try Self.relay(of: peer, isPrivate: isPrivate, channel)
    }

    private static func relay(
        of peer: PublicKey, isPrivate: Bool, _ channel: NodeAnswer
    ) throws(BackendFault) -> PaymentPath.Relay? {
        guard let terms = try channel.optional("updates")?.optional("remote"), let id = try id(isPrivate, channel)
        else { return nil }
        guard let delta = UInt16(exactly: try terms.wholeNumber("cltv_expiry_delta")),
            let base = UInt32(exactly: try terms.wholeNumber("fee_base_msat")),
            let rate = UInt32(exactly: try terms.wholeNumber("fee_proportional_millionths"))
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
    /// A private channel goes by the alias that the peer has given it, which works whether or not its real id is to stay hidden.
    private static func id(_ isPrivate: Bool, _ channel: NodeAnswer) throws(BackendFault) -> ShortChannelID? {
        if isPrivate, let alias = try channel.optional("alias"), alias.has("remote") {
            return try alias.parsed("remote") { try ShortChannelID(text: $0) }
        }
        guard channel.has("short_channel_id") else { return nil }
        return try channel.parsed("short_channel_id") { try ShortChannelID(text: $0) }
    }
}
