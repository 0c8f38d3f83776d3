public import LightningCoding

/// Why an invoice request must be rejected or ignored, or cannot be created: one case per rule, in the order of the
/// specification (BOLT 12, "Requirements for Invoice Requests").
public enum InvoiceRequestFault: Error, Hashable, Sendable {
    /// Not a BOLT 12 text or TLV stream.
    case record(RecordFault)
    /// No `invreq_payer_id`.
    case missingPayerID
    /// No `invreq_metadata`.
    case missingMetadata
    /// A record outside 0…159 and 1,000,000,000…2,999,999,999 that is not a signature.
    case typeOutOfRange(UInt64)
    /// An unknown even bit in `invreq_features`: none is defined.
    case unknownRequiredFeature(bit: Int)
    /// No `signature`.
    case missingSignature
    /// `signature` is not a valid signature of `invreq_payer_id`.
    case invalidSignature
    /// A path of `invreq_paths` without hops.
    case pathWithoutHops

    // In response to an offer
    /// The offer's records differ from those of the requested offer.
    case offerMismatch
    /// The offer has expired.
    case offerExpired
    /// The offer has paths, and the request did not arrive over one of them: ignore, do not answer.
    case notViaOfferPath
    /// The offer has no paths, and the request arrived over one: ignore, do not answer.
    case viaBlindedPath
    /// `offer_quantity_max` without `invreq_quantity`.
    case missingQuantity
    /// `invreq_quantity` is zero.
    case quantityNotPositive
    /// `invreq_quantity` exceeds `offer_quantity_max`.
    case quantityTooLarge(maximum: UInt64)
    /// `invreq_quantity` without `offer_quantity_max`.
    case unexpectedQuantity
    /// The amount is in a currency that cannot be converted.
    case unsupportedCurrency(String)
    /// The expected or requested amount exceeds 21 million bitcoin.
    case amountOverflow
    /// `invreq_amount` is less than the expected amount.
    case amountTooLow(expected: Millisatoshi)
    /// `invreq_amount` greatly exceeds the expected amount.
    case amountTooHigh(expected: Millisatoshi)
    /// Neither `offer_amount` nor `invreq_amount`.
    case missingAmount

    // Not in response to an offer
    /// A field that is only allowed in response to an offer: its type.
    case fieldWithoutOffer(type: UInt64)

    /// The chain is not ours, or not one of the offer's.
    case unsupportedChain
    /// `invreq_bip_353_name` has a byte outside `0-9 a-z A-Z - _ .`.
    case invalidBIP353Name

    /// Whether the standard says to ignore the request: not even an error may be sent, since it would reveal whose
    /// offer it is.
    public var isToBeIgnored: Bool { self == .notViaOfferPath || self == .viaBlindedPath }
}
