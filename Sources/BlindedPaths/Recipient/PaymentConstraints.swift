public import LightningCoding

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
