public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// An invoice that breaks no rule of its own. Whether it is the one that was asked for, and its signature holds, `check`
/// tells.
public struct Invoice: Hashable, Sendable {
    /// `invoice_relative_expiry` of an invoice that states none, in seconds.
    public static let defaultRelativeExpiry: UInt32 = 7200

    /// All records as received, unknown ones too.
    public let stream: TLVStream
    /// What the known records say.
    public let fields: InvoiceFields
    /// What is asked for.
    public let amount: Millisatoshi
    /// When the invoice was made.
    public let createdAt: UnixTime
    /// The SHA-256 of the preimage that payment yields.
    public let paymentHash: PaymentHash
    /// The key that signs.
    public let nodeID: PublicKey
    /// Ways to the payee that can be used, the preferred first.
    public let usablePaths: [PaymentPath]

    /// Reads `lni1…`. Throws the first rule that it breaks.
    public init(_ text: some StringProtocol) throws(InvoiceFault) {
        try self.init(stream: InvoiceFault.reading { () throws(RecordFault) in try TLVStream(text, as: .invoice) })
    }

    /// Reads the bytes of an invoice. Throws the first rule that they break.
    public init(bytes: [UInt8]) throws(InvoiceFault) {
        try self.init(stream: InvoiceFault.reading { () throws(RecordFault) in try TLVStream(received: bytes) })
    }

    private init(stream: TLVStream) throws(InvoiceFault) {
        var fields = InvoiceFields()
        try InvoiceFault.reading { () throws(RecordFault) in try Namespace.invoice.read(stream.records, into: &fields) }
        try self.init(stream: stream, fields: fields)
    }

    /// `fields` must be what `stream` says.
    init(stream: TLVStream, fields: InvoiceFields) throws(InvoiceFault) {
        guard let amount = fields.amount else { throw .missingAmount }
        guard let createdAt = fields.createdAt else { throw .missingCreatedAt }
        guard let paymentHash = fields.paymentHash else { throw .missingPaymentHash }
        guard let nodeID = fields.nodeID else { throw .missingNodeID }
        if let bit = fields.features?.firstUnknownEvenBit(known: [PartsOfPayment.requiredBit]) {
            throw .unknownRequiredFeature(bit: bit)
        }
        self.stream = stream
        self.fields = fields
        self.amount = amount
        self.createdAt = createdAt
        self.paymentHash = paymentHash
        self.nodeID = nodeID
        usablePaths = try fields.usablePaths()
    }

    /// `lni1…`, in lower case.
    public var text: String { Bolt12Text.encode(stream.bytes, as: .invoice) }

    /// Seconds after `createdAt` until which it may be paid.
    public var relativeExpiry: UInt32 { fields.relativeExpiry ?? Self.defaultRelativeExpiry }

    /// The last second at which it may be paid.
    public var expiresAt: UnixTime { createdAt.adding(seconds: UInt64(relativeExpiry)) }

    /// Whether it may no longer be paid.
    public func isExpired(at now: UnixTime) -> Bool { now > expiresAt }

    /// The chain to pay on.
    public var chainToPayOn: ChainHash { fields.request.chain ?? .bitcoin }

    /// In how many parts it may be paid.
    public var parts: PartsOfPayment { PartsOfPayment(fields.features) }

    /// On-chain addresses that can be paid to, the preferred first; none on another chain than bitcoin's own.
    public var usableFallbacks: [FallbackProgram] {
        chainToPayOn.network == nil ? [] : (fields.fallbacks ?? []).filter(\.isValid)
    }

    /// Throws `missingSignature` or `invalidSignature`.
    public func checkSignature() throws(InvoiceFault) {
        guard let signature = fields.signature else { throw .missingSignature }
        guard SignatureTag.invoice.isValid(signature, of: MerkleTree(stream.records), by: nodeID) else {
            throw .invalidSignature
        }
    }

    /// Invoices are equal when their bytes are.
    public static func == (left: Invoice, right: Invoice) -> Bool {
        left.stream == right.stream
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(stream)
    }
}

extension InvoiceFields {
    fileprivate func usablePaths() throws(InvoiceFault) -> [PaymentPath] {
        guard let paths, !paths.isEmpty else { throw .missingPaths }
        guard let blindedPay else { throw .missingBlindedPay }
        guard blindedPay.count == paths.count else { throw .blindedPayMismatch }
        let usable = zip(paths, blindedPay).map(PaymentPath.init).filter { path in
            FeatureBits(bytes: path.payinfo.features).firstUnknownEvenBit() == nil
        }
        guard !usable.isEmpty else { throw .noUsablePath }
        return usable
    }
}
