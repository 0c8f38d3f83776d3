public import BlindedPaths
public import LightningCoding

/// The payload of an onion message for one node (BOLT 4, `onionmsg_tlv`).
public struct MessagePayload: Hashable, Sendable {
    /// The path for an answer.
    public var replyPath: BlindedPath?
    /// The encrypted data for the node.
    public var encryptedRecipientData: [UInt8]?
    /// The content; only for the last node.
    public var content: MessageContent?
    /// Records of unknown odd types, in increasing order.
    public var unknownRecords: [TLVRecord]

    /// Creates a payload.
    public init(
        encryptedRecipientData: [UInt8]? = nil, replyPath: BlindedPath? = nil, content: MessageContent? = nil,
        unknownRecords: [TLVRecord] = []
    ) {
        self.encryptedRecipientData = encryptedRecipientData
        self.replyPath = replyPath
        self.content = content
        self.unknownRecords = unknownRecords
    }

    /// Whether there is anything besides the encrypted data.
    var hasFurtherFields: Bool { replyPath != nil || content != nil || !unknownRecords.isEmpty }
}

extension MessagePayload {
    /// The record types, as BOLT 4 lists them.
    private enum Field: UInt64 {
        case replyPath = 2
        case encryptedRecipientData = 4
        case invoiceRequest = 64
        case invoice = 66
        case invoiceError = 68
    }

    /// Parses a TLV stream. Throws `encoding`, `unknownEvenType`, `invalidReplyPath` or `severalContents`.
    public init(parsing bytes: [UInt8]) throws(OnionFault) {
        self.init()
        let stream = try rethrowing(TLVStream(parsing: bytes), as: OnionFault.encoding)
        for record in stream.records {
            if let field = Field(rawValue: record.type) {
                try read(field, Array(record.value))
            } else if record.type.isMultiple(of: 2) {
                throw .unknownEvenType(record.type)
            } else {
                unknownRecords.append(record)
            }
        }
    }

    private mutating func read(_ field: Field, _ value: [UInt8]) throws(OnionFault) {
        switch field {
        case .replyPath:
            replyPath = try rethrowing(BlindedPath(value), as: OnionFault.invalidReplyPath)
        case .encryptedRecipientData: encryptedRecipientData = value
        case .invoiceRequest: try set(.invoiceRequest(value))
        case .invoice: try set(.invoice(value))
        case .invoiceError: try set(.invoiceError(value))
        }
    }

    private mutating func set(_ content: MessageContent) throws(OnionFault) {
        guard self.content == nil else { throw .severalContents }
        self.content = content
    }

    /// The TLV stream. Throws `duplicate` when `unknownRecords` repeats a type or holds a known one.
    public func encoded() throws(CodingFault) -> [UInt8] {
        try TLVStream((knownRecords + unknownRecords).sorted { $0.type < $1.type }).bytes
    }

    private var knownRecords: [TLVRecord] {
        var records: [TLVRecord] = []
        func add(_ field: Field, _ value: [UInt8]) {
            records.append(TLVRecord(type: field.rawValue, value: value))
        }
        if let replyPath { add(.replyPath, replyPath.bytes) }
        if let encryptedRecipientData { add(.encryptedRecipientData, encryptedRecipientData) }
        switch content {
        case .invoiceRequest(let bytes): add(.invoiceRequest, bytes)
        case .invoice(let bytes): add(.invoice, bytes)
        case .invoiceError(let bytes): add(.invoiceError, bytes)
        case nil: break
        }
        return records
    }
}

/// The content of an onion message: one BOLT 12 document, as an unparsed TLV stream.
public enum MessageContent: Hashable, Sendable {
    /// A payer requests an invoice.
    case invoiceRequest([UInt8])
    /// The payee answers with one.
    case invoice([UInt8])
    /// One of them rejects what the other has sent.
    case invoiceError([UInt8])

    /// The TLV stream.
    public var bytes: [UInt8] {
        switch self {
        case .invoiceRequest(let bytes), .invoice(let bytes), .invoiceError(let bytes): bytes
        }
    }
}
