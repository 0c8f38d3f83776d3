import BlindedPaths
import LightningCoding
import LightningCrypto

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
    static func usable(in answer: JSONValue) throws(CommandFault) -> [PeerChannel] {
        var channels: [PeerChannel] = []
        for reader in try AnswerReader(answer).elements("channels") {
            let state = try reader.text("state")
            // A channel that is being spliced goes on working.
            guard state == "CHANNELD_NORMAL" || state == "CHANNELD_AWAITING_SPLICE",
                try reader.truth("peer_connected")
            else { continue }
            channels.append(try PeerChannel(reader))
        }
        return channels
    }

    private init(_ reader: AnswerReader) throws(CommandFault) {
        peer = try reader.parsed("peer_id") { try PublicKey(hexadecimal: $0) }
        isPrivate = try reader.truth("private")
        receivable = min(try reader.amount("receivable_msat"), try reader.amount("our_max_htlc_value_in_flight_msat"))
        htlcMinimum = try reader.amount("minimum_htlc_in_msat")
        relay = try Self.relay(of: peer, isPrivate: isPrivate, reader)
    }

    /// A private channel goes by the alias that the peer has given it, which works whether or not its real id is to stay hidden.
    private static func relay(
        of peer: PublicKey, isPrivate: Bool, _ reader: AnswerReader
    ) throws(CommandFault) -> PaymentPath.Relay? {
        let alias = reader.member("alias")
        let isAliased = isPrivate && alias?.has("remote") == true
        guard let terms = reader.member("updates")?.member("remote"),
            let named = isAliased ? alias : reader, named.has(isAliased ? "remote" : "short_channel_id")
        else { return nil }
        let channel = try named.parsed(isAliased ? "remote" : "short_channel_id") { try ShortChannelID(text: $0) }
        guard let delta = UInt16(exactly: try terms.number("cltv_expiry_delta")),
            let base = UInt32(exactly: try terms.number("fee_base_msat")),
            let rate = UInt32(exactly: try terms.number("fee_proportional_millionths"))
        else { throw .malformed("updates") }
        return PaymentPath.Relay(
            nodeID: peer,
            next: .channel(channel),
            terms: PaymentRelay(
                cltvExpiryDelta: delta, feeProportionalMillionths: rate, feeBase: base),
            htlcMinimum: try terms.amount("htlc_minimum_msat"),
            htlcMaximum: try terms.amount("htlc_maximum_msat")
        )
    }
}
