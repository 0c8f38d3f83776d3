import BlindedPaths
public import LightningCoding
import LightningCrypto

/// An offer that breaks no rule of its own; whether its chain is ours and its time not over, `check` tells.
@dynamicMemberLookup
public struct Offer: Hashable, Sendable {
    /// All records as received, unknown ones too: what requests and invoices repeat byte for byte.
    public let stream: TLVStream
    /// What the known records say.
    public let fields: OfferFields

    /// Reads `lno1…`. Throws the first rule that it breaks.
    public init(_ text: some StringProtocol) throws(OfferFault) {
        try self.init(stream: OfferFault.reading { () throws(RecordFault) in try TLVStream(text, as: .offer) })
    }

    /// Reads the bytes of an offer. Throws the first rule that they break.
    public init(bytes: [UInt8]) throws(OfferFault) {
        try self.init(stream: OfferFault.reading { () throws(RecordFault) in try TLVStream(received: bytes) })
    }

    /// Writes an offer: the fields, and records of types that have no field here. Throws the rule that its reader
    /// would name, `invalidCurrency`, or `record` for a type that comes twice.
    public init(_ fields: OfferFields, furtherRecords: [TLVRecord] = []) throws(OfferFault) {
        if let currency = fields.currency {
            guard currency.utf8.count == 3, currency.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
            else { throw .invalidCurrency }
        }
        let records = Namespace.offer.records(of: fields) + furtherRecords
        try self.init(stream: OfferFault.reading { () throws(RecordFault) in try TLVStream(sorting: records) })
    }

    /// Takes records that were received. Throws the first rule that they break.
    public init(stream: TLVStream) throws(OfferFault) {
        for record in stream.records where !TypeRanges.offer.contain(record.type) {
            throw .typeOutOfRange(record.type)
        }
        var fields = OfferFields()
        try OfferFault.reading { () throws(RecordFault) in try Namespace.offer.read(stream.records, into: &fields) }
        try self.init(stream: stream, fields: fields)
    }

    /// `fields` must be what `stream` says.
    init(stream: TLVStream, fields: OfferFields) throws(OfferFault) {
        try fields.check()
        self.stream = stream
        self.fields = fields
    }

    /// `lno1…`, in lower case.
    public var text: String { Bolt12Text.encode(stream.bytes, as: .offer) }

    /// What the offer is known by here and in Core Lightning.
    public var id: OfferID { OfferID(of: self) }

    /// The chains that invoices can be for.
    public var acceptedChains: [ChainHash] { fields.chains ?? [.bitcoin] }

    /// What a reader asks before responding: is one of the chains ours, and is the offer still on? Throws
    /// `unsupportedChain` or `expired`.
    public func check(chains: Set<ChainHash>, now: UnixTime) throws(OfferFault) {
        guard acceptedChains.contains(where: chains.contains) else { throw .unsupportedChain }
        guard !isExpired(at: now) else { throw .expired }
    }

    /// Whether `offer_absolute_expiry` is over.
    public func isExpired(at now: UnixTime) -> Bool {
        fields.absoluteExpiry.map { now > $0 } ?? false
    }

    /// A field.
    public subscript<Value>(dynamicMember path: KeyPath<OfferFields, Value>) -> Value {
        fields[keyPath: path]
    }

    /// Offers are equal when their bytes are.
    public static func == (left: Offer, right: Offer) -> Bool {
        left.stream == right.stream
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(stream)
    }
}

extension OfferFields {
    fileprivate func check() throws(OfferFault) {
        if let bit = features?.firstUnknownEvenBit() { throw .unknownRequiredFeature(bit: bit) }
        if let amount {
            guard description != nil else { throw .amountWithoutDescription }
            guard amount > 0 else { throw .amountNotPositive }
        }
        guard currency == nil || amount != nil else { throw .currencyWithoutAmount }
        guard issuerID != nil || paths != nil else { throw .noWayToIssuer }
    }
}
