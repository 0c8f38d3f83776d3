import LightningCoding

extension BlindedPayinfo {
    /// Aggregates all hops, from the recipient to the introduction node (BOLT 4, "Requirements" of the `payload`
    /// format).
    ///
    /// `htlcMinimum` is the largest minimum along the path: an amount that arrives with it was no smaller at any hop.
    /// `htlcMaximum` is the most that a payer who adds the fees of this payinfo, rounded up, can send to the recipient
    /// without overfilling any channel.
    init(
        to destination: PaymentPath.Destination, through relays: [PaymentPath.Relay]
    ) throws(PaymentPathFault) {
        var fees = Fees.none
        var blocks = Int(destination.minFinalCLTVExpiryDelta)
        var minimum = destination.htlcMinimum
        var largestIncoming = destination.htlcMaximum
        for relay in relays.reversed() {
            fees = try fees.before(relay.terms)
            blocks += Int(relay.terms.cltvExpiryDelta)
            minimum = max(minimum, relay.htlcMinimum)
            largestIncoming = min(relay.htlcMaximum, relay.terms.largestAmount(forwarding: largestIncoming))
        }
        let maximum = fees.largestArrival(of: largestIncoming)
        guard let delta = UInt16(exactly: blocks) else { throw .cltvExpiryDeltaTooLarge }
        guard minimum <= maximum else { throw .maximumBelowMinimum }
        self = try rethrowing(
            BlindedPayinfo(
                feeBase: fees.base, feeProportionalMillionths: fees.proportionalMillionths, cltvExpiryDelta: delta,
                htlcMinimum: minimum, htlcMaximum: maximum),
            as: PaymentPathFault.path)
    }
}

/// The combined fees of one or more hops.
private struct Fees {
    static let none = Fees(base: 0, proportionalMillionths: 0)

    let base: UInt32
    let proportionalMillionths: UInt32

    /// These fees preceded by a forwarding node, which charges its fee on them too. Both are rounded up.
    func before(_ relay: PaymentRelay) throws(PaymentPathFault) -> Fees {
        let million: UInt128 = 1_000_000
        let rate = UInt128(relay.feeProportionalMillionths)
        let base = UInt128(relay.feeBase) * million + UInt128(base) * (million + rate)
        let proportional =
            (UInt128(proportionalMillionths) + rate) * million + UInt128(proportionalMillionths) * rate
        guard let base = UInt32(exactly: (base + million - 1) / million),
            let proportional = UInt32(exactly: (proportional + million - 1) / million)
        else { throw .feeTooLarge }
        return Fees(base: base, proportionalMillionths: proportional)
    }

    /// The most that can arrive when at most `incoming` is sent, with fees rounded up.
    func largestArrival(of incoming: Millisatoshi) -> Millisatoshi {
        guard incoming.msat > base else { return .zero }
        let rest = UInt128(incoming.msat - UInt64(base)) * 1_000_000
        return Millisatoshi(UInt64(rest / (1_000_000 + UInt128(proportionalMillionths))))
    }
}
