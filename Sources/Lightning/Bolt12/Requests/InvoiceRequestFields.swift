public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// The fields of an invoice request (BOLT 12, "TLV Fields for `invoice_request`"); nil for one that is absent.
public struct InvoiceRequestFields: Equatable, Sendable {
    /// Unpredictable bytes of the payer.
    public var metadata: [UInt8]?
    /// The fields of the offer, mirrored.
    public var offer = OfferFields()
    /// The chain to pay on; bitcoin when absent.
    public var chain: ChainHash?
    /// The amount that the payer wants to pay.
    public var amount: Millisatoshi?
    /// None is defined.
    public var features: FeatureBits?
    /// The number of items.
    public var quantity: UInt64?
    /// The payer's key for this request.
    public var payerID: PublicKey?
    /// The payer's note to the payee.
    public var payerNote: String?
    /// Paths to the payer, in a request that answers no offer.
    public var paths: [BlindedPath]?
    /// The name that the payer resolved to the offer.
    public var bip353Name: BIP353Name?
    /// The signature of `payerID`.
    public var signature: SchnorrSignature?

    init() {}
}

extension Namespace<InvoiceRequestFields> {
    private static let metadata = Namespace(rows: [
        Row(0, "invreq_metadata", \.metadata, .bytes)
    ])
    private static let request = Namespace(rows: [
        Row(80, "invreq_chain", \.chain, .chain),
        Row(82, "invreq_amount", \.amount, .msat),
        Row(84, "invreq_features", \.features, .features),
        Row(86, "invreq_quantity", \.quantity, .truncated),
        Row(88, "invreq_payer_id", \.payerID, .point),
        Row(89, "invreq_payer_note", \.payerNote, .utf8),
        Row(90, "invreq_paths", \.paths, .blindedPaths),
        Row(91, "invreq_bip_353_name", \.bip353Name, .bip353Name),
    ])
    private static let signature = Namespace(rows: [
        Row(SignatureTag.recordType, "signature", \.signature, .signature)
    ])

    /// The fields that the payer adds to the offer.
    static let added = metadata + request
    /// The fields that an invoice mirrors.
    static let mirrored = metadata + Namespace<OfferFields>.offer.lifted(\.offer) + request
    /// `tlv_stream`: `invoice_request`
    static let invoiceRequest = mirrored + signature
}
