/// Why an offer must not be responded to, or cannot be created: one case per rule, in the order of the specification
/// (BOLT 12, "Requirements For Offers").
public enum OfferFault: Error, Hashable, Sendable {
    /// Not a BOLT 12 text or TLV stream.
    case record(RecordFault)
    /// A record outside 1…79 and 1,000,000,000…1,999,999,999.
    case typeOutOfRange(UInt64)
    /// An unknown even bit in `offer_features`: none is defined.
    case unknownRequiredFeature(bit: Int)
    /// None of the chains (bitcoin by default) is ours.
    case unsupportedChain
    /// `offer_amount` without `offer_description`.
    case amountWithoutDescription
    /// `offer_amount` is zero.
    case amountNotPositive
    /// `offer_currency` without `offer_amount`.
    case currencyWithoutAmount
    /// Neither `offer_issuer_id` nor `offer_paths`.
    case noWayToIssuer
    /// A path of `offer_paths` without hops.
    case pathWithoutHops
    /// `offer_absolute_expiry` has passed.
    case expired

    // Of the writer
    /// `offer_currency` is not three capital letters (ISO 4217).
    case invalidCurrency
}
