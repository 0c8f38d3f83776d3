public import LightningCoding

/// Why an invoice request must be rejected or ignored, or cannot be made: one case per rule, in the order of the
/// specification (BOLT 12, "Requirements for Invoice Requests").
public enum InvoiceRequestFault: Error, Hashable, Sendable {
    /// Not a text or a TLV stream of BOLT 12.
    case record(RecordFault)
    /// No `invreq_payer_id`.
    case missingPayerID
    /// No `invreq_metadata`.
    case missingMetadata
    /// A record outside 0…159 and 1,000,000,000…2,999,999,999 that is no signature.
    case typeOutOfRange(UInt64)
    /// An even bit in `invreq_features`: none is known.
    case unknownRequiredFeature(bit: Int)
    /// No `signature`.
    case missingSignature
    /// `signature` is not that of `invreq_payer_id` over these records.
    case invalidSignature
    /// A path of `invreq_paths` without a hop.
    case pathWithoutHops

    // In response to an offer
    /// The records of the offer are not those of the offer that is asked for.
    case offerMismatch
    /// The offer has expired.
    case offerExpired
    /// The offer has paths, and the request did not come over one of them: to be ignored, not answered.
    case notViaOfferPath
    /// The offer has no path, and the request came over one: to be ignored, not answered.
    case viaBlindedPath
    /// `offer_quantity_max` without `invreq_quantity`.
    case missingQuantity
    /// `invreq_quantity` is zero.
    case quantityNotPositive
    /// `invreq_quantity` exceeds `offer_quantity_max`.
    case quantityTooLarge(maximum: UInt64)
    /// `invreq_quantity` without `offer_quantity_max`.
    case unexpectedQuantity
    /// The amount is in a currency for which no conversion is at hand.
    case unsupportedCurrency(String)
    /// The expected amount, or the requested one, exceeds 21 million bitcoin.
    case amountOverflow
    /// `invreq_amount` is less than the expected amount.
    case amountTooLow(expected: Millisatoshi)
    /// `invreq_amount` greatly exceeds the expected amount.
    case amountTooHigh(expected: Millisatoshi)
    /// Neither `offer_amount` nor `invreq_amount`.
    case missingAmount

    // Not in response to an offer
    /// A field that has a meaning in an offer only: its type.
    case fieldWithoutOffer(type: UInt64)

    /// The chain is not ours, or not one of the offer's.
    case unsupportedChain
    /// `invreq_bip_353_name` has a byte outside `0-9 a-z A-Z - _ .`.
    case invalidBIP353Name

    /// Whether the standard says to ignore the request: not even an error may be answered, since that would tell whom
    /// the offer belongs to.
    public var isToBeIgnored: Bool { self == .notViaOfferPath || self == .viaBlindedPath }
}
