public import LightningCoding
public import LightningCrypto

/// An invoice request that breaks no rule by itself. `checkSignature` checks its signature; `accepted` whether it may
/// be answered.
@dynamicMemberLookup
public struct InvoiceRequest: Hashable, Sendable {
    /// All records as received, including unknown ones: an invoice repeats them byte for byte.
    public let stream: TLVStream
    /// The decoded known records.
    public let fields: InvoiceRequestFields
    /// Unpredictable bytes of the payer.
    public let metadata: [UInt8]
    /// The payer's key for this request.
    public let payerID: PublicKey

    /// Parses `lnr1…`. Throws the first broken rule.
    public init(_ text: some StringProtocol) throws(InvoiceRequestFault) {
        try self.init(
            stream: InvoiceRequestFault.reading { () throws(RecordFault) in try TLVStream(text, as: .invoiceRequest) })
    }

    /// Parses the bytes of an invoice request. Throws the first broken rule.
    public init(bytes: [UInt8]) throws(InvoiceRequestFault) {
        try self.init(stream: InvoiceRequestFault.reading { () throws(RecordFault) in try TLVStream(received: bytes) })
    }

    init(stream: TLVStream) throws(InvoiceRequestFault) {
        for record in stream.records
        where !TypeRanges.invoiceRequest.contain(record.type) && !TypeRanges.signatures.contains(record.type) {
            throw .typeOutOfRange(record.type)
        }
        var fields = InvoiceRequestFields()
        try InvoiceRequestFault.reading { () throws(RecordFault) in
            try Namespace.invoiceRequest.read(stream.records, into: &fields)
        }
        guard let payerID = fields.payerID else { throw .missingPayerID }
        guard let metadata = fields.metadata else { throw .missingMetadata }
        try fields.check()
        self.stream = stream
        self.fields = fields
        self.metadata = metadata
        self.payerID = payerID
    }

    /// `lnr1…`, in lower case.
    public var text: String { Bolt12Text.encode(stream.bytes, as: .invoiceRequest) }

    /// The chain to pay on.
    public var chainToPayOn: ChainHash { fields.chain ?? .bitcoin }

    /// Whether the request answers an offer; if not, it offers a payment itself, such as a refund.
    public var answersOffer: Bool { fields.offer.issuerID != nil || fields.offer.paths != nil }

    /// The records of the offer that it answers, as received.
    var offerRecords: [TLVRecord] { stream.records.filter { TypeRanges.offer.contain($0.type) } }

    /// The offer that it answers; nil when there is none. Throws the rule that this offer breaks.
    public func mirroredOffer() throws(OfferFault) -> Offer? {
        guard answersOffer else { return nil }
        let records = offerRecords
        return try Offer(
            stream: OfferFault.reading { () throws(RecordFault) in try TLVStream(sorting: records) },
            fields: fields.offer)
    }

    /// Throws `missingSignature` or `invalidSignature`.
    public func checkSignature() throws(InvoiceRequestFault) {
        try checkSignature(of: MerkleTree(stream.records))
    }

    /// `tree` must be that of the request.
    func checkSignature(of tree: MerkleTree) throws(InvoiceRequestFault) {
        guard let signature = fields.signature else { throw .missingSignature }
        guard SignatureTag.invoiceRequest.isValid(signature, of: tree, by: payerID) else { throw .invalidSignature }
    }

    /// A field.
    public subscript<Value>(dynamicMember path: KeyPath<InvoiceRequestFields, Value>) -> Value {
        fields[keyPath: path]
    }

    /// Requests are equal when their bytes are.
    public static func == (left: InvoiceRequest, right: InvoiceRequest) -> Bool {
        left.stream == right.stream
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(stream)
    }
}

extension InvoiceRequestFields {
    /// The rules that need only the request, in the order of the specification.
    fileprivate func check() throws(InvoiceRequestFault) {
        if let bit = features?.firstUnknownEvenBit() { throw .unknownRequiredFeature(bit: bit) }
        if offer.issuerID == nil, offer.paths == nil {
            if offer.chains != nil { throw .fieldWithoutOffer(type: 2) }
            if offer.features != nil { throw .fieldWithoutOffer(type: 12) }
            if offer.quantityMax != nil { throw .fieldWithoutOffer(type: 20) }
            guard amount != nil else { throw .missingAmount }
        }
        guard bip353Name?.isValid ?? true else { throw .invalidBIP353Name }
    }
}
