public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// An invoice that breaks no rule by itself. `check` tells whether it matches its request and its signature is valid.
public struct Bolt12Invoice: Hashable, Sendable {
    /// The default of `invoice_relative_expiry`, in seconds.
    public static let defaultRelativeExpiry: UInt32 = 7200

    /// All records as received, including unknown ones.
    public let stream: TLVStream
    /// The decoded known records.
    public let fields: InvoiceFields
    /// The requested amount.
    public let amount: Millisatoshi
    /// When the invoice was created.
    public let createdAt: UnixTime
    /// The SHA-256 of the preimage that payment reveals.
    public let paymentHash: PaymentHash
    /// The signing key.
    public let nodeID: PublicKey
    /// The usable paths to the payee, in order of preference.
    public let usablePaths: [PaymentPath]

    /// Parses `lni1…`. Throws the first broken rule.
    public init(_ text: some StringProtocol) throws(InvoiceFault) {
        try self.init(stream: InvoiceFault.reading { () throws(RecordFault) in try TLVStream(text, as: .invoice) })
    }

    /// Parses the bytes of an invoice. Throws the first broken rule.
    public init(bytes: [UInt8]) throws(InvoiceFault) {
        try self.init(stream: InvoiceFault.reading { () throws(RecordFault) in try TLVStream(received: bytes) })
    }

    private init(stream: TLVStream) throws(InvoiceFault) {
        var fields = InvoiceFields()
        try InvoiceFault.reading { () throws(RecordFault) in try Namespace.invoice.read(stream.records, into: &fields) }
        try self.init(stream: stream, fields: fields)
    }

    /// `fields` must be decoded from `stream`.
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

    /// The last second in which it may be paid.
    public var expiresAt: UnixTime { createdAt.adding(seconds: UInt64(relativeExpiry)) }

    /// Whether it may no longer be paid.
    public func isExpired(at now: UnixTime) -> Bool { now > expiresAt }

    /// The chain to pay on.
    public var chainToPayOn: ChainHash { fields.request.chain ?? .bitcoin }

    /// Whether it may be paid in parts.
    public var parts: PartsOfPayment { PartsOfPayment(fields.features) }

    /// The usable on-chain addresses, in order of preference; none on chains other than bitcoin.
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
    public static func == (left: Bolt12Invoice, right: Bolt12Invoice) -> Bool {
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

extension Bolt12Invoice {
    /// Applies the rules for a payer who requested this invoice with `request`, in the order of the specification.
    /// Throws the first broken one.
    public func check(answering request: InvoiceRequest, _ reception: InvoiceReception) throws(InvoiceFault) {
        guard reception.chains.contains(chainToPayOn) else { throw .unsupportedChain }
        guard !isExpired(at: reception.now) else { throw .expired }
        if let type = firstMismatch(with: request) { throw .requestMismatch(type: type) }
        try checkNode(of: request.fields.offer, sentToPath: reception.sentToPath)
        try checkSignature()
        guard request.fields.amount == nil || request.fields.amount == amount else { throw .amountIsNotRequested }
        guard reception.authorized?.contains(amount) ?? true else { throw .amountNotAuthorized }
        try check(reception.arrival, answering: request)
    }

    /// The lowest type whose record differs between both.
    private func firstMismatch(with request: InvoiceRequest) -> UInt64? {
        let ours = stream.records.filter { TypeRanges.invoiceRequest.contain($0.type) }
        let theirs = request.stream.records.filter { TypeRanges.invoiceRequest.contain($0.type) }
        for (our, their) in zip(ours, theirs) where our.raw != their.raw {
            return min(our.type, their.type)
        }
        let surplus = ours.dropFirst(theirs.count).first ?? theirs.dropFirst(ours.count).first
        return surplus?.type
    }

    private func checkNode(of offer: OfferFields, sentToPath: Int?) throws(InvoiceFault) {
        if let issuer = offer.issuerID {
            guard nodeID == issuer else { throw .nodeIsNotIssuer }
        } else if let paths = offer.paths {
            let candidates = paths.indices.filter { sentToPath == nil || $0 == sentToPath }
            guard candidates.contains(where: { paths[$0].hops.last?.blindedNodeID == nodeID }) else {
                throw .nodeIsNotPathEnd
            }
        }
    }

    private func check(_ arrival: InvoiceArrival, answering request: InvoiceRequest) throws(InvoiceFault) {
        guard arrival != .outsideLightning else { return }
        if let paths = request.fields.paths {
            guard case .viaRequestPath(let index) = arrival, paths.indices.contains(index) else {
                throw .notViaRequestPath
            }
        } else if request.answersOffer {
            guard arrival == .viaReplyPath else { throw .notViaReplyPath }
        } else {
            guard arrival == .direct else { throw .viaBlindedPath }
        }
    }
}
