public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// An unsigned invoice for an invoice request (BOLT 12, "Invoices", the writer's requirements).
public struct InvoiceDraft: Sendable {
    /// The request, which determines amount, chain and signer.
    public let request: AcceptedRequest
    /// The current time.
    public var createdAt: UnixTime
    /// Seconds after `createdAt` until which the invoice may be paid.
    public var relativeExpiry: UInt32
    /// The SHA-256 of the preimage that payment reveals.
    public var paymentHash: PaymentHash
    /// Paths to the payee, in order of preference; at least one.
    public var paths: [PaymentPath]
    /// Whether it may be paid in parts.
    public var parts: PartsOfPayment
    /// On-chain addresses, in order of preference.
    public var fallbacks: [FallbackProgram]

    /// Creates a draft.
    public init(
        answering request: AcceptedRequest, createdAt: UnixTime,
        relativeExpiry: UInt32 = Bolt12Invoice.defaultRelativeExpiry, paymentHash: PaymentHash,
        paths: [PaymentPath], parts: PartsOfPayment = .one, fallbacks: [FallbackProgram] = []
    ) {
        self.request = request
        self.createdAt = createdAt
        self.relativeExpiry = relativeExpiry
        self.paymentHash = paymentHash
        self.paths = paths
        self.parts = parts
        self.fallbacks = fallbacks
    }

    /// Encodes and signs the invoice: every record of the request except its signature, byte for byte, and our own. The
    /// result is not parsed again. `auxiliaryRandom` is 32 fresh bytes, or nil for a deterministic signature.
    ///
    /// Throws `missingPaths`, `noUsablePath`, or `signerIsNotNode` when `key` is not that of `request.nodeID`.
    public func signed(by key: SecretKey, auxiliaryRandom: [UInt8]?) throws(InvoiceFault) -> Bolt12Invoice {
        guard !paths.isEmpty else { throw .missingPaths }
        guard key.publicKey == request.nodeID else { throw .signerIsNotNode }
        var fields = fields
        let own = Namespace.added.records(of: fields)
        let mirrored = request.request.stream.records.filter { TypeRanges.invoiceRequest.contain($0.type) }
        let experimental = mirrored.drop { $0.type < SignatureTag.recordType }
        let ordinary = mirrored.dropLast(experimental.count)
        guard let first = ordinary.first,
            let signature = try? SignatureTag.invoice.sign(
                request.tree.inserting(own, after: ordinary.count, first: first), with: key,
                auxiliaryRandom: auxiliaryRandom)
        else { throw .invalidSignature }
        fields.signature = signature
        let signatureRecord = TLVRecord(type: SignatureTag.recordType, value: signature.bytes)
        let records = Array(ordinary) + own + [signatureRecord] + experimental
        let stream = try InvoiceFault.reading { () throws(RecordFault) in try TLVStream(ordered: records) }
        return try Bolt12Invoice(stream: stream, fields: fields)
    }

    private var fields: InvoiceFields {
        var fields = InvoiceFields()
        fields.request = request.request.fields
        fields.request.signature = nil
        fields.paths = paths.map(\.path)
        fields.blindedPay = paths.map(\.payinfo)
        fields.createdAt = createdAt
        fields.relativeExpiry = relativeExpiry == Bolt12Invoice.defaultRelativeExpiry ? nil : relativeExpiry
        fields.paymentHash = paymentHash
        fields.amount = request.amount
        fields.fallbacks = fallbacks.isEmpty ? nil : fallbacks
        fields.features = parts.features
        fields.nodeID = request.nodeID
        return fields
    }
}
