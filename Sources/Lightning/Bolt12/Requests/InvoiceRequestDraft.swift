public import LightningCoding
public import LightningCrypto

/// A payer's unsigned invoice request (BOLT 12, "Requirements for Invoice Requests", the writer's).
public struct InvoiceRequestDraft: Sendable {
    /// The offer to answer.
    public var offer: Offer
    /// At least 16 unpredictable bytes, which also make the leaves of the signature's tree unguessable.
    public var metadata: [UInt8]
    /// The chain to pay on, one of the offer's.
    public var chain: ChainHash
    /// The amount to pay; required for an offer of any amount, else at least the expected amount.
    public var amount: Millisatoshi?
    /// The number of items; required exactly when the offer has a `quantityMax`.
    public var quantity: UInt64?
    /// A note to the payee.
    public var payerNote: String?
    /// The name that was resolved to the offer.
    public var bip353Name: BIP353Name?
    /// Records of types without a field here.
    public var furtherRecords: [TLVRecord]

    /// Creates a request for `offer` with fresh `metadata`.
    public init(
        for offer: Offer, metadata: [UInt8], chain: ChainHash = .bitcoin, amount: Millisatoshi? = nil,
        quantity: UInt64? = nil, payerNote: String? = nil, bip353Name: BIP353Name? = nil,
        furtherRecords: [TLVRecord] = []
    ) {
        self.offer = offer
        self.metadata = metadata
        self.chain = chain
        self.amount = amount
        self.quantity = quantity
        self.payerNote = payerNote
        self.bip353Name = bip353Name
        self.furtherRecords = furtherRecords
    }

    /// Encodes and signs the request. `payerKey` should be used for this request only; `auxiliaryRandom` is 32 fresh
    /// bytes, or nil for a deterministic signature.
    ///
    /// Throws the rule that the issuer would report. For an offer in another currency only the issuer knows the
    /// expected amount, unless a `converter` is given.
    public func signed(
        by payerKey: SecretKey, auxiliaryRandom: [UInt8]?, converter: CurrencyConverter? = nil
    ) throws(InvoiceRequestFault) -> InvoiceRequest {
        try check(converter)
        let records = Namespace.added.records(of: fields(payerID: payerKey.publicKey))
        let unsigned = (records + offer.stream.records + furtherRecords).sorted { $0.type < $1.type }
        guard
            let signature = try? SignatureTag.invoiceRequest.sign(
                MerkleTree(unsigned), with: payerKey, auxiliaryRandom: auxiliaryRandom)
        else { throw .invalidSignature }
        let signed = unsigned + [TLVRecord(type: SignatureTag.recordType, value: signature.bytes)]
        return try InvoiceRequest(
            stream: InvoiceRequestFault.reading { () throws(RecordFault) in try TLVStream(sorting: signed) })
    }

    private func fields(payerID: PublicKey) -> InvoiceRequestFields {
        var fields = InvoiceRequestFields()
        fields.metadata = metadata
        fields.chain = chain == .bitcoin ? nil : chain
        fields.amount = amount
        fields.quantity = quantity
        fields.payerID = payerID
        fields.payerNote = payerNote
        fields.bip353Name = bip353Name
        return fields
    }

    private func check(_ converter: CurrencyConverter?) throws(InvoiceRequestFault) {
        guard offer.acceptedChains.contains(chain) else { throw .unsupportedChain }
        try offer.fields.check(quantity: quantity)
        guard offer.fields.amount != nil || amount != nil else { throw .missingAmount }
        guard amount ?? .zero <= .maximum else { throw .amountOverflow }
        if offer.fields.currency != nil, converter == nil { return }
        guard let expected = try offer.fields.expectedAmount(quantity: quantity, converter: converter), let amount
        else { return }
        guard amount >= expected else { throw .amountTooLow(expected: expected) }
    }
}
