public import LightningCoding
import LightningCrypto

/// An offer that breaks no rule by itself; `check` tells whether its chain is supported and it has not expired.
@dynamicMemberLookup
public struct Offer: Hashable, Sendable {
    /// All records as received, including unknown ones: requests and invoices repeat them byte for byte.
    public let stream: TLVStream
    /// The decoded known records.
    public let fields: OfferFields

    /// Parses `lno1…`. Throws the first broken rule.
    public init(_ text: some StringProtocol) throws(OfferFault) {
        try self.init(stream: OfferFault.reading { () throws(RecordFault) in try TLVStream(text, as: .offer) })
    }

    /// Parses the bytes of an offer. Throws the first broken rule.
    public init(bytes: [UInt8]) throws(OfferFault) {
        try self.init(stream: OfferFault.reading { () throws(RecordFault) in try TLVStream(received: bytes) })
    }

    /// Creates an offer from fields and records of types without a field here. Throws the rule that a reader would
    /// report, `invalidCurrency`, or `record` for a duplicate type.
    public init(_ fields: OfferFields, furtherRecords: [TLVRecord] = []) throws(OfferFault) {
        if let currency = fields.currency {
            guard currency.utf8.count == 3, currency.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
            else { throw .invalidCurrency }
        }
        let records = Namespace.offer.records(of: fields) + furtherRecords
        try self.init(stream: OfferFault.reading { () throws(RecordFault) in try TLVStream(sorting: records) })
    }

    /// Creates an offer from received records. Throws the first broken rule.
    public init(stream: TLVStream) throws(OfferFault) {
        for record in stream.records where !TypeRanges.offer.contain(record.type) {
            throw .typeOutOfRange(record.type)
        }
        var fields = OfferFields()
        try OfferFault.reading { () throws(RecordFault) in try Namespace.offer.read(stream.records, into: &fields) }
        try self.init(stream: stream, fields: fields)
    }

    /// `fields` must be decoded from `stream`.
    init(stream: TLVStream, fields: OfferFields) throws(OfferFault) {
        try fields.check()
        self.stream = stream
        self.fields = fields
    }

    /// `lno1…`, in lower case.
    public var text: String { Bolt12Text.encode(stream.bytes, as: .offer) }

    /// The id of the offer, the same as in Core Lightning.
    public var id: OfferID { OfferID(of: self) }

    /// The chains on which invoices may be paid.
    public var acceptedChains: [ChainHash] { fields.chains ?? [.bitcoin] }

    /// Checks before responding: is one of the chains ours, and has the offer not expired? Throws `unsupportedChain` or
    /// `expired`.
    public func check(chains: Set<ChainHash>, now: UnixTime) throws(OfferFault) {
        guard acceptedChains.contains(where: chains.contains) else { throw .unsupportedChain }
        guard !isExpired(at: now) else { throw .expired }
    }

    /// Whether `offer_absolute_expiry` has passed.
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

/// The id of an offer: the SHA-256 of its records, as in Core Lightning. Not specified; other implementations use other
/// ids.
public struct OfferID: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// The id of an offer.
    public init(of offer: Offer) {
        bytes = SHA256.hash(offer.stream.bytes)
    }

    /// Exactly 32 bytes; nil otherwise.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// 64 hexadecimal digits in lower case.
    public var hexadecimal: String { Hexadecimal.encode(bytes) }

    /// The same.
    public var description: String { hexadecimal }
}
