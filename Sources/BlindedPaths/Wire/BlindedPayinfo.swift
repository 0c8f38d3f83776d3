public import LightningCoding

/// What a payment over a blinded path costs and how large it may be (BOLT 12, `blinded_payinfo`): all hops together.
public struct BlindedPayinfo: Hashable, Sendable {
    /// msat for each payment.
    public let feeBase: UInt32
    /// Millionths of the amount that reaches the recipient.
    public let feeProportionalMillionths: UInt32
    /// Blocks, those of the recipient's own `min_final_cltv_expiry_delta` among them.
    public let cltvExpiryDelta: UInt16
    /// The least that may reach the recipient in one HTLC.
    public let htlcMinimum: Millisatoshi
    /// The most that may reach the recipient in one HTLC.
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
    /// Reads the next payinfo: u32, u32, u16, u64, u64 and the features behind their length of two bytes.
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

    /// Reads one payinfo that fills the bytes.
    public init(_ bytes: some Collection<UInt8>) throws(BlindedPathFault) {
        var reader = ByteReader(Array(bytes))
        try self.init(from: &reader)
        try reader.spelled { (reader) throws(CodingFault) in try reader.requireEnd() }
    }

    /// Reads payinfos that fill the bytes, one after the other, as an invoice holds them. There may be none.
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

    /// The payinfo as it travels: 28 bytes and the features.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 28 + features.count)
        write(to: &writer)
        return writer.bytes
    }
}
