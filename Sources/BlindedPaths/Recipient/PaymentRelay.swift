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
        share(of: incoming, roundingUp: true)
    }

    /// The most that may be forwarded so that no more than `incoming` comes in, the fee rounded up.
    func largestAmountToForward(of incoming: Millisatoshi) -> Millisatoshi? {
        share(of: incoming, roundingUp: false)
    }

    private func share(of incoming: Millisatoshi, roundingUp: Bool) -> Millisatoshi? {
        guard incoming.msat >= feeBase else { return nil }
        let whole = UInt128(incoming.msat - UInt64(feeBase)) * 1_000_000
        let divisor = 1_000_000 + UInt128(feeProportionalMillionths)
        // At most `incoming`, since the divisor is at least a million.
        return Millisatoshi(UInt64((whole + (roundingUp ? divisor - 1 : 0)) / divisor))
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
