public import LightningCoding
public import LightningCrypto

/// A route from a public node to a payee without a public channel (BOLT 11, `r`): one or more channels, the payee's
/// last.
public struct RouteHint: Hashable, Sendable {
    /// One channel of the route, and the terms of its first node.
    public struct Hop: Hashable, Sendable {
        /// The node at the start of the channel.
        public var nodeID: PublicKey
        /// The channel.
        public var shortChannelID: ShortChannelID
        /// In msat per payment.
        public var feeBase: UInt32
        /// Millionths of the forwarded amount.
        public var feeProportionalMillionths: UInt32
        /// In blocks.
        public var cltvExpiryDelta: UInt16

        /// Creates a hop.
        public init(
            nodeID: PublicKey, shortChannelID: ShortChannelID, feeBase: UInt32, feeProportionalMillionths: UInt32,
            cltvExpiryDelta: UInt16
        ) {
            self.nodeID = nodeID
            self.shortChannelID = shortChannelID
            self.feeBase = feeBase
            self.feeProportionalMillionths = feeProportionalMillionths
            self.cltvExpiryDelta = cltvExpiryDelta
        }

        static let byteCount = 33 + 8 + 4 + 4 + 2
    }

    /// In the order of the payment; never empty.
    public let hops: [Hop]

    /// Throws `invalidRouteHint` when empty.
    public init(_ hops: [Hop]) throws(Bolt11Fault) {
        guard !hops.isEmpty else { throw .invalidRouteHint }
        self.hops = hops
    }
}

extension RouteHint {
    init(bytes: [UInt8]) throws(Bolt11Fault) {
        var reader = ByteReader(bytes)
        var hops: [Hop] = []
        while !reader.isAtEnd {
            hops.append(try Hop(from: &reader))
        }
        try self.init(hops)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: hops.count * Hop.byteCount)
        for hop in hops {
            hop.write(to: &writer)
        }
        return writer.bytes
    }
}

extension RouteHint.Hop {
    fileprivate init(from reader: inout ByteReader) throws(Bolt11Fault) {
        do {
            self.init(
                nodeID: try PublicKey(reader.read(33)), shortChannelID: ShortChannelID(try reader.readUInt64()),
                feeBase: try reader.readUInt32(), feeProportionalMillionths: try reader.readUInt32(),
                cltvExpiryDelta: try reader.readUInt16())
        } catch {
            throw .invalidRouteHint
        }
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.write(nodeID.bytes)
        writer.writeUInt64(shortChannelID.value)
        writer.writeUInt32(feeBase)
        writer.writeUInt32(feeProportionalMillionths)
        writer.writeUInt16(cltvExpiryDelta)
    }
}
