public import LightningCoding

/// Why a text is not a correct BOLT 11 invoice, or a draft cannot become one: one case per rule, in the order of the
/// specification.
public enum Bolt11Fault: Error, Hashable, Sendable {
    // Encoding overview
    /// The text is not bech32: its letters, its case, its separator or its checksum.
    case spelling(CodingFault)

    // Human-readable part
    /// The text does not begin with `ln` and the prefix of a network that is known here.
    case unknownPrefix
    /// The amount is not decimal digits, followed by at most one letter.
    case amountNotDecimal
    /// The amount begins with a zero.
    case amountLeadingZero
    /// The amount is zero: an invoice for any amount states none.
    case amountNotPositive
    /// The letter after the amount is none of `m`, `u`, `n`, `p`.
    case unknownMultiplier
    /// The amount is not a whole number of millisatoshis.
    case amountBelowMillisatoshi
    /// The amount exceeds 21 million bitcoin.
    case amountTooLarge

    // Data part
    /// The data part has no room for a timestamp and a signature.
    case tooShort
    /// A draft's timestamp does not fit into 35 bits.
    case timestampTooLarge

    // Tagged fields
    /// A field's length goes beyond the data part, or the rest before the signature is too short to be a field.
    case fieldTruncated
    /// A draft's field exceeds 1023 groups of five bits.
    case fieldTooLong(Bolt11Field.Tag)
    /// The bits after a field's last byte are not zero, or are five or more.
    case fieldPadding(Bolt11Field.Tag)
    /// No `p` field of the right length.
    case missingPaymentHash
    /// No `s` field of the right length.
    case missingPaymentSecret
    /// Neither a `d` nor an `h` field.
    case missingDescription
    /// Both a `d` and an `h` field.
    case descriptionAndDescriptionHash
    /// A draft's description hash has not 32 bytes.
    case invalidDescriptionHash
    /// The `d` field is not UTF-8.
    case descriptionNotUTF8
    /// The `n` field is not a point of the curve.
    case invalidPayee
    /// A draft states a payee other than the key that signs it.
    case payeeIsNotSigner
    /// An `x`, `c` or `9` field begins with a zero group.
    case fieldNotMinimal(Bolt11Field.Tag)
    /// An `x` or `c` field exceeds 64 bits.
    case fieldOutOfRange(Bolt11Field.Tag)
    /// An `f` field with a known version whose program or hash has a wrong length, or one without a version.
    case invalidFallbackAddress
    /// An `r` field that is not one or more entries of 51 bytes, each with a point of the curve.
    case invalidRouteHint

    // Feature bits
    /// An even feature bit that is not known here.
    case unknownRequiredFeature(bit: Int)
    /// A known feature without one that it depends on.
    case missingFeatureDependency(Bolt11Features.Feature, on: Bolt11Features.Feature)

    // Signature
    /// The recovery id exceeds 3.
    case invalidRecoveryID
    /// The payee is stated, and the signature's S is in the upper half of the group order.
    case highS
    /// The signature is not the stated payee's, or no key can be recovered from it.
    case invalidSignature
}
