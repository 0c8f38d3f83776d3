public import LightningCoding
public import LightningCrypto

/// A blinded path to a hidden recipient (BOLT 4, "Route Blinding"): a sender contacts the introduction node and passes
/// on, hop by hop, the data that the recipient encrypted for each.
public struct BlindedPath: Hashable, Sendable {
    /// One node of the path.
    public struct Hop: Hashable, Sendable {
        /// The id by which the sender addresses the node: its own, times a secret factor.
        public let blindedNodeID: PublicKey
        /// The recipient's encrypted data for the node, with a 16-byte tag; at most 65535 bytes.
        public let encryptedRecipientData: [UInt8]

        /// Throws `recipientDataTooLong`.
        public init(blindedNodeID: PublicKey, encryptedRecipientData: [UInt8]) throws(BlindedPathFault) {
            guard encryptedRecipientData.count <= UInt16.max else { throw .recipientDataTooLong }
            self.blindedNodeID = blindedNodeID
            self.encryptedRecipientData = encryptedRecipientData
        }
    }

    /// Where the path starts.
    public let introductionNode: IntroductionNode
    /// From it the introduction node derives the secret that it shares with the recipient.
    public let firstPathKey: PublicKey
    /// The nodes, introduction node first and recipient last: 1 to 255.
    public let hops: [Hop]

    /// Throws `noHops` or `tooManyHops`.
    public init(
        introductionNode: IntroductionNode, firstPathKey: PublicKey, hops: [Hop]
    ) throws(BlindedPathFault) {
        guard !hops.isEmpty else { throw .noHops }
        guard hops.count <= UInt8.max else { throw .tooManyHops }
        self.introductionNode = introductionNode
        self.firstPathKey = firstPathKey
        self.hops = hops
    }
}

extension BlindedPath {
    /// Parses the next path: `first_node_id`, `first_path_key`, `num_hops`, hops.
    public init(from reader: inout ByteReader) throws(BlindedPathFault) {
        let introductionNode = try IntroductionNode(from: &reader)
        let firstPathKey = try reader.readPoint(orThrow: .invalidFirstPathKey)
        let count = try reader.spelled { (reader) throws(CodingFault) in try reader.readByte() }
        var hops: [Hop] = []
        hops.reserveCapacity(Int(count))
        for _ in 0..<count {
            hops.append(try Hop(from: &reader))
        }
        try self.init(introductionNode: introductionNode, firstPathKey: firstPathKey, hops: hops)
    }

    /// Parses exactly one path.
    public init(_ bytes: some Collection<UInt8>) throws(BlindedPathFault) {
        var reader = ByteReader(Array(bytes))
        try self.init(from: &reader)
        try reader.spelled { (reader) throws(CodingFault) in try reader.requireEnd() }
    }

    /// Writes the path.
    public func write(to writer: inout ByteWriter) {
        introductionNode.write(to: &writer)
        writer.write(firstPathKey.bytes)
        writer.write(UInt8(hops.count))
        for hop in hops {
            writer.write(hop.blindedNodeID.bytes)
            writer.writeUInt16(UInt16(hop.encryptedRecipientData.count))
            writer.write(hop.encryptedRecipientData)
        }
    }

    /// The path in wire format.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 67 + hops.reduce(0) { $0 + 35 + $1.encryptedRecipientData.count })
        write(to: &writer)
        return writer.bytes
    }
}

extension BlindedPath.Hop {
    fileprivate init(from reader: inout ByteReader) throws(BlindedPathFault) {
        let blindedNodeID = try reader.readPoint(orThrow: .invalidBlindedNodeID)
        let data = try reader.spelled { (reader) throws(CodingFault) in try reader.read(Int(reader.readUInt16())) }
        try self.init(blindedNodeID: blindedNodeID, encryptedRecipientData: Array(data))
    }
}

/// Why bytes are not a blinded path or payinfo, or why a path cannot be built.
public enum BlindedPathFault: Error, NamedRule, Hashable, Sendable {
    /// A field is truncated, or bytes follow its end.
    case encoding(CodingFault)
    /// `first_node_id` starts with none of 00 to 03, or is not a point.
    case invalidIntroductionNode
    /// `first_path_key` is not a point.
    case invalidFirstPathKey
    /// `num_hops` is 0.
    case noHops
    /// `num_hops` does not fit in one byte.
    case tooManyHops
    /// A `blinded_node_id` is not a point.
    case invalidBlindedNodeID
    /// An `encrypted_recipient_data` exceeds its two-byte length.
    case recipientDataTooLong
    /// The features of a payinfo exceed their two-byte length.
    case featuresTooLong
    /// The unknown records to encrypt repeat one another or a known one.
    case invalidRecipientData
    /// The secret of the path is unusable (negligible probability).
    case unusableSecret
}

extension BlindedPathFault: ReadableFault {
    /// What is wrong, worded to follow a colon.
    public var reason: String {
        switch self {
        case .encoding(let fault): fault.reason
        case .invalidIntroductionNode: "a path has no valid introduction node"
        case .invalidFirstPathKey: "the key of a path is not a public key"
        case .noHops: "a path has no hop"
        case .tooManyHops: "a path has too many hops"
        case .invalidBlindedNodeID: "a blinded node id is not a public key"
        case .recipientDataTooLong: "the data for a hop is too long"
        case .featuresTooLong: "the features of a path are too long"
        case .invalidRecipientData: "the data for a hop repeats a record"
        case .unusableSecret: "the secret of a path is unusable"
        }
    }
}

extension ByteReader {
    /// Reads a compressed point of 33 bytes.
    mutating func readPoint(orThrow fault: BlindedPathFault) throws(BlindedPathFault) -> PublicKey {
        let bytes = try spelled { (reader) throws(CodingFault) in try reader.read(33) }
        return try rethrowing(PublicKey(bytes), as: fault)
    }

    /// Reads something that can only have coding faults.
    mutating func spelled<Value>(
        _ read: (inout ByteReader) throws(CodingFault) -> Value
    ) throws(BlindedPathFault) -> Value {
        try rethrowing(read(&self), as: BlindedPathFault.encoding)
    }
}
