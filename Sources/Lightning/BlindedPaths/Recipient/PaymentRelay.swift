public import LightningCoding

/// The terms on which a node of a blinded path forwards a payment (BOLT 4, `payment_relay`).
public struct PaymentRelay: Hashable, Sendable {
    /// How many blocks earlier the outgoing HTLC expires.
    public var cltvExpiryDelta: UInt16
    /// Millionths of the forwarded amount.
    public var feeProportionalMillionths: UInt32
    /// In msat per payment.
    public let feeBase: UInt32

    /// Creates the terms.
    public init(cltvExpiryDelta: UInt16, feeProportionalMillionths: UInt32, feeBase: UInt32) {
        self.cltvExpiryDelta = cltvExpiryDelta
        self.feeProportionalMillionths = feeProportionalMillionths
        self.feeBase = feeBase
    }

    /// The amount forwarded from an incoming amount: rounded up, so that the node's fee is rounded down. Nil when the
    /// amount does not cover `feeBase`.
    public func amountToForward(of incoming: Millisatoshi) -> Millisatoshi? {
        guard incoming.msat >= feeBase else { return nil }
        let rest = UInt128(incoming.msat - UInt64(feeBase)) * 1_000_000
        let divisor = 1_000_000 + UInt128(feeProportionalMillionths)
        // At most `incoming`, since the divisor is at least a million.
        return Millisatoshi(UInt64((rest + divisor - 1) / divisor))
    }

    /// The largest incoming amount from which at most `outgoing` is forwarded.
    func largestAmount(forwarding outgoing: Millisatoshi) -> Millisatoshi {
        let rest = UInt128(outgoing.msat) * (1_000_000 + UInt128(feeProportionalMillionths)) / 1_000_000
        return Millisatoshi(UInt64(clamping: rest + UInt128(feeBase)))
    }

    /// The expiry of the outgoing HTLC, a block height. Nil when it would be negative.
    public func expiryToForward(of incoming: UInt32) -> UInt32? {
        let (expiry, underflow) = incoming.subtractingReportingOverflow(UInt32(cltvExpiryDelta))
        return underflow ? nil : expiry
    }
}

extension PaymentRelay {
    /// u16, u32, tu32.
    init(from reader: inout ByteReader) throws(CodingFault) {
        cltvExpiryDelta = try reader.readUInt16()
        feeProportionalMillionths = try reader.readUInt32()
        feeBase = try reader.readTruncated(UInt32.self)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 10)
        writer.writeUInt16(cltvExpiryDelta)
        writer.writeUInt32(feeProportionalMillionths)
        writer.writeTruncated(UInt64(feeBase))
        return writer.bytes
    }
}

/// Which payments a node of a blinded path accepts (BOLT 4, `payment_constraints`).
public struct PaymentConstraints: Hashable, Sendable {
    /// The highest block height at which the incoming HTLC may expire.
    public let maxCLTVExpiry: UInt32
    /// The minimum amount of the incoming HTLC.
    public let htlcMinimum: Millisatoshi

    /// Creates the constraints.
    public init(maxCLTVExpiry: UInt32, htlcMinimum: Millisatoshi) {
        self.maxCLTVExpiry = maxCLTVExpiry
        self.htlcMinimum = htlcMinimum
    }
}

extension PaymentConstraints {
    /// u32, tu64.
    init(from reader: inout ByteReader) throws(CodingFault) {
        maxCLTVExpiry = try reader.readUInt32()
        htlcMinimum = Millisatoshi(try reader.readTruncated(UInt64.self))
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 12)
        writer.writeUInt32(maxCLTVExpiry)
        writer.writeTruncated(htlcMinimum.msat)
        return writer.bytes
    }
}
