public import LightningCoding
public import LightningCrypto

/// A recipient's data for one node of a blinded path, decrypted (BOLT 4, `encrypted_data_tlv`).
///
/// These are the fields as written. `MessageInstruction` and `PaymentInstruction` interpret them, and check the rules
/// across fields.
public struct RecipientData: Equatable, Sendable {
    /// The number of padding bytes; nil without a padding record.
    public var padding: Int?
    /// The channel to the next node.
    public var shortChannelID: ShortChannelID?
    /// The next node.
    public var nextNodeID: PublicKey?
    /// Proves to the recipient that the path is its own, and identifies it; compared in constant time.
    public var pathID: SecretBytes?
    /// The path key for the next node, when another path begins there.
    public var nextPathKeyOverride: PublicKey?
    /// How to forward a payment.
    public var paymentRelay: PaymentRelay?
    /// Which payments to accept.
    public var paymentConstraints: PaymentConstraints?
    /// The allowed features, as a big-endian bitmap.
    public var allowedFeatures: [UInt8]?
    /// Records of unknown odd types, in increasing order.
    public var unknownRecords: [TLVRecord] = []

    /// Creates data without fields.
    public init() {}
}

extension RecipientData {
    /// The record types, as BOLT 4 lists them.
    private enum Field: UInt64 {
        case padding = 1
        case shortChannelID = 2
        case nextNodeID = 4
        case pathID = 6
        case nextPathKeyOverride = 8
        case paymentRelay = 10
        case paymentConstraints = 12
        case allowedFeatures = 14
    }

    /// Parses a decrypted stream. Throws everything but `undecryptable`.
    public init(parsing bytes: [UInt8]) throws(RecipientDataFault) {
        let stream = try rethrowing(TLVStream(parsing: bytes), as: RecipientDataFault.encoding)
        for record in stream.records {
            if let field = Field(rawValue: record.type) {
                try read(field, record.value)
            } else if record.type.isMultiple(of: 2) {
                throw .unknownEvenType(record.type)
            } else {
                unknownRecords.append(record)
            }
        }
    }

    private mutating func read(_ field: Field, _ value: ArraySlice<UInt8>) throws(RecipientDataFault) {
        var reader = ByteReader(value)
        do {
            switch field {
            case .padding: padding = reader.readRemaining().count
            case .shortChannelID: shortChannelID = ShortChannelID(try reader.readUInt64())
            case .nextNodeID: nextNodeID = try PublicKey(reader.readRemaining())
            case .pathID: pathID = SecretBytes(reader.readRemaining())
            case .nextPathKeyOverride: nextPathKeyOverride = try PublicKey(reader.readRemaining())
            case .paymentRelay: paymentRelay = try PaymentRelay(from: &reader)
            case .paymentConstraints: paymentConstraints = try PaymentConstraints(from: &reader)
            case .allowedFeatures: allowedFeatures = Array(reader.readRemaining())
            }
            try reader.requireEnd()
        } catch {
            throw .invalidValue(type: field.rawValue)
        }
    }

    /// The stream to encrypt. Throws `duplicate` when `unknownRecords` repeats a type or holds a known one.
    public func encoded() throws(CodingFault) -> [UInt8] {
        try TLVStream((knownRecords + unknownRecords).sorted { $0.type < $1.type }).bytes
    }

    private var knownRecords: [TLVRecord] {
        var records: [TLVRecord] = []
        func add(_ field: Field, _ value: some Sequence<UInt8>) {
            records.append(TLVRecord(type: field.rawValue, value: value))
        }
        if let padding { add(.padding, repeatElement(0, count: padding)) }
        if let shortChannelID { add(.shortChannelID, shortChannelID.bytes) }
        if let nextNodeID { add(.nextNodeID, nextNodeID.bytes) }
        if let pathID { add(.pathID, pathID) }
        if let nextPathKeyOverride { add(.nextPathKeyOverride, nextPathKeyOverride.bytes) }
        if let paymentRelay { add(.paymentRelay, paymentRelay.bytes) }
        if let paymentConstraints { add(.paymentConstraints, paymentConstraints.bytes) }
        if let allowedFeatures { add(.allowedFeatures, allowedFeatures) }
        return records
    }
}

extension ShortChannelID {
    fileprivate var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.writeUInt64(value)
        return writer.bytes
    }
}

/// Why a node cannot read the data that a recipient encrypted for it (BOLT 4, "Route Blinding", the reader of the
/// `encrypted_recipient_data`). A payment then fails; a message is ignored.
public enum RecipientDataFault: Error, NamedRule, Hashable, Sendable {
    /// The tag does not match: it was not encrypted for this node and path key.
    case undecryptable
    /// The plaintext is not a TLV stream.
    case encoding(CodingFault)
    /// A record of an unknown even type.
    case unknownEvenType(UInt64)
    /// The value of a known record is malformed.
    case invalidValue(type: UInt64)
}
