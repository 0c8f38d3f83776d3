public import LightningCoding

/// On what terms a node of a blinded path forwards a payment (BOLT 4, `payment_relay`).
public struct PaymentRelay: Hashable, Sendable {
    /// By how many blocks the outgoing HTLC expires earlier.
    public let cltvExpiryDelta: UInt16
    /// Millionths of the amount forwarded.
    public let feeProportionalMillionths: UInt32
    /// msat for each payment.
    public let feeBase: UInt32

    /// All terms.
    public init(cltvExpiryDelta: UInt16, feeProportionalMillionths: UInt32, feeBase: UInt32) {
        self.cltvExpiryDelta = cltvExpiryDelta
        self.feeProportionalMillionths = feeProportionalMillionths
        self.feeBase = feeBase
    }

    /// What is forwarded of an incoming amount: rounded up, so that the node's fee is rounded down.
    /// Nil when the amount does not even cover `feeBase`.
    public func amountToForward(of incoming: Millisatoshi) -> Millisatoshi? {
        guard incoming.msat >= feeBase else { return nil }
        let rest = UInt128(incoming.msat - UInt64(feeBase)) * 1_000_000
        let divisor = 1_000_000 + UInt128(feeProportionalMillionths)
        // At most `incoming`, since the divisor is at least a million.
        return Millisatoshi(UInt64((rest + divisor - 1) / divisor))
    }

    /// The most that may come in so that no more than `outgoing` is forwarded.
    func largestAmount(forwarding outgoing: Millisatoshi) -> Millisatoshi {
        let rest = UInt128(outgoing.msat) * (1_000_000 + UInt128(feeProportionalMillionths)) / 1_000_000
        return Millisatoshi(UInt64(clamping: rest + UInt128(feeBase)))
    }

    /// The expiry, a block height, of the outgoing HTLC. Nil when it would be negative.
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
        writer.writeTruncated(feeBase)
        return writer.bytes
    }
}
