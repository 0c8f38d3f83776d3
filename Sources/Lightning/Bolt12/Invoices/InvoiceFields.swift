public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// The fields of an invoice (BOLT 12, "Invoices"); nil for one that is absent.
public struct InvoiceFields: Equatable, Sendable {
    /// The fields of the request, mirrored; its signature is not.
    public var request = InvoiceRequestFields()
    /// Paths to the payee, in order of preference.
    public var paths: [BlindedPath]?
    /// The costs of each path, in the same order.
    public var blindedPay: [BlindedPayinfo]?
    /// When the invoice was created.
    public var createdAt: UnixTime?
    /// Seconds after `createdAt` until which it may be paid; 7200 by default.
    public var relativeExpiry: UInt32?
    /// The SHA-256 of the preimage that payment reveals.
    public var paymentHash: PaymentHash?
    /// The requested amount.
    public var amount: Millisatoshi?
    /// On-chain addresses, in order of preference, including those that readers ignore.
    public var fallbacks: [FallbackProgram]?
    /// Bits 16 and 17: multi-part payment is required, allowed.
    public var features: FeatureBits?
    /// The signing key.
    public var nodeID: PublicKey?
    /// The signature of `nodeID`.
    public var signature: SchnorrSignature?

    init() {}
}

extension Namespace<InvoiceFields> {
    /// The fields that the payee adds to the request.
    static let added = Namespace(rows: [
        Row(160, "invoice_paths", \.paths, .anyBlindedPaths),
        Row(162, "invoice_blindedpay", \.blindedPay, .blindedPay),
        Row(164, "invoice_created_at", \.createdAt, .seconds),
        Row(166, "invoice_relative_expiry", \.relativeExpiry, .truncated),
        Row(168, "invoice_payment_hash", \.paymentHash, .hash),
        Row(170, "invoice_amount", \.amount, .msat),
        Row(172, "invoice_fallbacks", \.fallbacks, .fallbacks),
        Row(174, "invoice_features", \.features, .features),
        Row(176, "invoice_node_id", \.nodeID, .point),
        Row(SignatureTag.recordType, "signature", \.signature, .signature),
    ])
    /// `tlv_stream`: `invoice`
    static let invoice = Namespace<InvoiceRequestFields>.mirrored.lifted(\.request) + added
}
