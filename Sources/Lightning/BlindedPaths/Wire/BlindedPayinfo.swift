public import LightningCoding

/// What a payment over a blinded path costs, and its limits (BOLT 12, `blinded_payinfo`): the aggregate of all hops.
public struct BlindedPayinfo: Hashable, Sendable {
    /// In msat per payment.
    public let feeBase: UInt32
    /// Millionths of the amount that reaches the recipient.
    public let feeProportionalMillionths: UInt32
    /// In blocks, including the recipient's own `min_final_cltv_expiry_delta`.
    public let cltvExpiryDelta: UInt16
    /// The minimum that may reach the recipient in one HTLC.
    public let htlcMinimum: Millisatoshi
    /// The maximum that may reach the recipient in one HTLC.
    public let htlcMaximum: Millisatoshi
    /// The features that the path allows, as a big-endian bitmap; at most 65535 bytes.
    public let features: [UInt8]

    /// Throws `featuresTooLong`.
    public init(
        feeBase: UInt32, feeProportionalMillionths: UInt32, cltvExpiryDelta: UInt16,
        htlcMinimum: Millisatoshi, htlcMaximum: Millisatoshi, features: [UInt8] = []
    ) throws(BlindedPathFault) {
        guard features.count <= UInt16.max else { throw .featuresTooLong }
        self.feeBase = feeBase
        self.feeProportionalMillionths = feeProportionalMillionths
        self.cltvExpiryDelta = cltvExpiryDelta
        self.htlcMinimum = htlcMinimum
        self.htlcMaximum = htlcMaximum
        self.features = features
    }
}

extension BlindedPayinfo {
    /// Parses the next payinfo: u32, u32, u16, u64, u64, and the features with their two-byte length.
    public init(from reader: inout ByteReader) throws(BlindedPathFault) {
        do {
            try self.init(
                feeBase: reader.readUInt32(), feeProportionalMillionths: reader.readUInt32(),
                cltvExpiryDelta: reader.readUInt16(), htlcMinimum: Millisatoshi(reader.readUInt64()),
                htlcMaximum: Millisatoshi(reader.readUInt64()), features: Array(reader.read(Int(reader.readUInt16()))))
        } catch let fault as CodingFault {
            throw .encoding(fault)
        } catch {
            throw .featuresTooLong
        }
    }

    /// Parses exactly one payinfo.
    public init(_ bytes: some Collection<UInt8>) throws(BlindedPathFault) {
        var reader = ByteReader(Array(bytes))
        try self.init(from: &reader)
        try reader.spelled { (reader) throws(CodingFault) in try reader.requireEnd() }
    }

    /// Writes the payinfo.
    public func write(to writer: inout ByteWriter) {
        writer.writeUInt32(feeBase)
        writer.writeUInt32(feeProportionalMillionths)
        writer.writeUInt16(cltvExpiryDelta)
        writer.writeUInt64(htlcMinimum.msat)
        writer.writeUInt64(htlcMaximum.msat)
        writer.writeUInt16(UInt16(features.count))
        writer.write(features)
    }

    /// The payinfo in wire format: 28 bytes and the features.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 28 + features.count)
        write(to: &writer)
        return writer.bytes
    }
}

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
