/// Why an invoice must be rejected, or cannot be created: one case per rule, in the order of the specification (BOLT
/// 12, "Invoices", "Requirements").
public enum InvoiceFault: Error, Hashable, Sendable {
    /// Not a BOLT 12 text or TLV stream.
    case record(RecordFault)
    /// No `invoice_amount`.
    case missingAmount
    /// No `invoice_created_at`.
    case missingCreatedAt
    /// No `invoice_payment_hash`.
    case missingPaymentHash
    /// No `invoice_node_id`.
    case missingNodeID
    /// The chain is not one of ours.
    case unsupportedChain
    /// An unknown even bit in `invoice_features`: any but 16, multi-part payment.
    case unknownRequiredFeature(bit: Int)
    /// The invoice has expired.
    case expired
    /// `invoice_paths` is missing or empty.
    case missingPaths
    /// A path of `invoice_paths` without hops.
    case pathWithoutHops
    /// No `invoice_blindedpay`.
    case missingBlindedPay
    /// The number of `blinded_payinfo` differs from that of the paths.
    case blindedPayMismatch
    /// Every path has an unknown even feature.
    case noUsablePath

    // In response to an invoice request
    /// A record of the request is missing, changed or new: the lowest such type.
    case requestMismatch(type: UInt64)
    /// `invoice_node_id` is not `offer_issuer_id`.
    case nodeIsNotIssuer
    /// `invoice_node_id` is not the last blinded node id of the path that the request was sent to.
    case nodeIsNotPathEnd

    /// No `signature`.
    case missingSignature
    /// `signature` is not a valid signature of `invoice_node_id`.
    case invalidSignature
    /// `invoice_amount` is not `invreq_amount`.
    case amountIsNotRequested
    /// `invoice_amount` is outside the payer's authorized range.
    case amountNotAuthorized
    /// The request has paths of its own, and the invoice did not arrive over one of them.
    case notViaRequestPath
    /// The invoice is not for an offer, and arrived over a blinded path.
    case viaBlindedPath
    /// The invoice is for an offer, and did not arrive over the reply path of the request.
    case notViaReplyPath

    // Of the writer
    /// The key is not the one required to answer the request.
    case signerIsNotNode
}
