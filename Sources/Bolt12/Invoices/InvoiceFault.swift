/// Why an invoice must be rejected, or cannot be made: one case per rule, in the order of the specification (BOLT 12,
/// "Invoices", "Requirements").
public enum InvoiceFault: Error, Hashable, Sendable {
    /// Not a text or a TLV stream of BOLT 12.
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
    /// An even bit in `invoice_features` other than 16, multi-part payment.
    case unknownRequiredFeature(bit: Int)
    /// The expiry is over.
    case expired
    /// No `invoice_paths`, or none in it.
    case missingPaths
    /// A path of `invoice_paths` without a hop.
    case pathWithoutHops
    /// No `invoice_blindedpay`.
    case missingBlindedPay
    /// Not exactly one `blinded_payinfo` for each path.
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
    /// `signature` is not that of `invoice_node_id` over these records.
    case invalidSignature
    /// `invoice_amount` is not `invreq_amount`.
    case amountIsNotRequested
    /// `invoice_amount` is outside what the payer has authorized.
    case amountNotAuthorized
    /// The request has paths of its own, and the invoice did not come over one of them.
    case notViaRequestPath
    /// The invoice answers no offer, and came over a blinded path.
    case viaBlindedPath
    /// The invoice answers an offer, and did not come over the reply path of the request.
    case notViaReplyPath

    // Of the writer
    /// The key is not the one that the request must be answered with.
    case signerIsNotNode
}
