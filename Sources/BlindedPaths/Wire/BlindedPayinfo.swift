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
            throw .spelling(fault)
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

    /// Parses consecutive payinfos that fill the bytes, the format of an invoice. May be empty.
    public static func list(_ bytes: ArraySlice<UInt8>) throws(BlindedPathFault) -> [BlindedPayinfo] {
        var reader = ByteReader(bytes)
        var payinfos: [BlindedPayinfo] = []
        while !reader.isAtEnd {
            payinfos.append(try BlindedPayinfo(from: &reader))
        }
        return payinfos
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
