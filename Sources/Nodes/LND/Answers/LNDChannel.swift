import BlindedPaths
import LightningCoding
import LightningCrypto
import ResponderModel

/// A channel that can receive payments (`lnrpc/lightning.proto`, `Channel`).
struct LNDChannel: Hashable, Sendable {
    let peer: PublicKey
    /// Its id in the node's own graph.
    let id: UInt64
    /// The id that the peer forwards by: the alias that it has assigned, or the channel's own id.
    let forwardingID: ShortChannelID
    let isPrivate: Bool
    /// What the peer could send us now.
    let receivable: Millisatoshi
    /// The smallest HTLC that may arrive.
    let htlcMinimum: Millisatoshi

    init(_ answer: NodeAnswer) throws(BackendFault) {
        peer = try answer.parsed("remote_pubkey") { try PublicKey(hexadecimal: $0) }
        id = try answer.lenientNumber("chan_id")
        // Missing from versions without aliases.
        let alias = answer.has("peer_scid_alias") ? try answer.lenientNumber("peer_scid_alias") : 0
        forwardingID = ShortChannelID(alias == 0 ? id : alias)
        isPrivate = try answer.flag("private")
        // Constraints apply to their owner (`chanstate/config.go`): incoming HTLCs are offered by the remote side.
        let remote = try answer.member("remote_constraints")
        htlcMinimum = try remote.millisatoshi("min_htlc_msat")
        receivable = try Self.spendable(by: .peer, answer)
    }

    enum End {
        case own, peer
    }

    /// An end's balance less its reserve and, if it pays for the commitment transaction, the fee increase that it must
    /// still be able to afford; at most what it may have under way.
    static func spendable(by end: End, _ answer: NodeAnswer) throws(BackendFault) -> Millisatoshi {
        let constraints = try answer.member(end == .own ? "local_constraints" : "remote_constraints")
        var rest = try answer.satoshi(end == .own ? "local_balance" : "remote_balance").msat
        var kept = [try constraints.satoshi("chan_reserve_sat").msat]
        if try answer.flag("initiator") == (end == .own) { kept.append(try feeBuffer(answer).msat) }
        for amount in kept { rest -= min(rest, amount) }
        return min(Millisatoshi(rest), Millisatoshi(try constraints.lenientNumber("max_pending_amt_msat")))
    }

    /// The cost of a transaction at twice the fee rate, with the payment's output and one more, above that of the
    /// present one, which is already deducted from the balance (BOLT 2, "Adding an HTLC"; `lnwallet/channel.go`,
    /// `CalcFeeBuffer`).
    private static func feeBuffer(_ answer: NodeAnswer) throws(BackendFault) -> Millisatoshi {
        let (rate, weight) = (try answer.lenientNumber("fee_per_kw"), try answer.lenientNumber("commit_weight"))
        guard rate <= UInt32.max, weight <= CommitmentWeight.ofBlock else { throw answer.fault("fee_per_kw") }
        let present = max(weight, CommitmentWeight.withBothOutputs)
        // Twice the rate with two more outputs, less the rate for the present weight; in msat, since the rate is per
        // 1000 of weight.
        return Millisatoshi(rate * (present + 4 * CommitmentWeight.htlc))
    }
}

/// Weights of commitment transactions with anchors (BOLT 3, "Expected Weight of the Commitment Transaction").
private enum CommitmentWeight {
    /// LND's balances assume a transaction that pays both sides, even while one side's output is too small to exist.
    static let withBothOutputs: UInt64 = 1124
    static let htlc: UInt64 = 172
    static let ofBlock: UInt64 = 4_000_000
}

extension PaymentPath.Relay {
    /// The hop from the peer to us on the peer's terms; nil when they are unknown or the peer does not forward.
    ///
    /// - Parameter edge: the channel in the node's graph (`lnrpc/lightning.proto`, `ChannelEdge`).
    init?(_ channel: LNDChannel, _ edge: NodeAnswer) throws(BackendFault) {
        let isFirst = try edge.text("node1_pub").isExactly(channel.peer.hexadecimal)
        let key = isFirst ? "node1_policy" : "node2_policy"
        guard edge.has(key) else { return nil }
        let policy = try edge.member(key)
        guard try !policy.flag("disabled") else { return nil }
        guard let delta = UInt16(exactly: try policy.lenientNumber("time_lock_delta")),
            let base = UInt32(exactly: try policy.lenientNumber("fee_base_msat")),
            let rate = UInt32(exactly: try policy.lenientNumber("fee_rate_milli_msat"))
        else { throw edge.fault(key) }
        self.init(
            nodeID: channel.peer,
            next: .channel(channel.forwardingID),
            terms: PaymentRelay(cltvExpiryDelta: delta, feeProportionalMillionths: rate, feeBase: base),
            htlcMinimum: try policy.millisatoshi("min_htlc"),
            htlcMaximum: try policy.millisatoshi("max_htlc_msat")
        )
    }
}
