public import LightningCoding

/// Why a text is not a valid BOLT 11 invoice, or a draft cannot become one: one case per rule, in the order of the
/// specification.
public enum Bolt11Fault: Error, NamedRule, Hashable, Sendable {
    // Encoding overview
    /// The text is not valid bech32: its characters, case, separator or checksum.
    case encoding(CodingFault)

    // Human-readable part
    /// The text does not begin with `ln` and the prefix of a known network.
    case unknownPrefix
    /// The amount is not decimal digits, followed by at most one letter.
    case amountNotDecimal
    /// The amount begins with a zero.
    case amountLeadingZero
    /// The amount is zero; an invoice for any amount omits it.
    case amountNotPositive
    /// The letter after the amount is not `m`, `u`, `n` or `p`.
    case unknownMultiplier
    /// The amount is not a whole number of millisatoshis.
    case amountBelowMillisatoshi
    /// The amount exceeds 21 million bitcoin.
    case amountTooLarge

    // Data part
    /// The data part is too short for a timestamp and a signature.
    case tooShort
    /// A draft's timestamp does not fit into 35 bits.
    case timestampTooLarge

    // Tagged fields
    /// A field's length exceeds the data part, or the rest before the signature is too short to be a field.
    case fieldTruncated
    /// A draft's field exceeds 1023 groups of five bits.
    case fieldTooLong(Bolt11Field.Tag)
    /// The padding after a field's last byte is not zero, or five bits or more.
    case fieldPadding(Bolt11Field.Tag)
    /// No `p` field of the correct length.
    case missingPaymentHash
    /// No `s` field of the correct length.
    case missingPaymentSecret
    /// Neither a `d` nor an `h` field.
    case missingDescription
    /// Both a `d` and an `h` field.
    case descriptionAndDescriptionHash
    /// A draft's description hash is not 32 bytes.
    case invalidDescriptionHash
    /// The `d` field is not UTF-8.
    case descriptionNotUTF8
    /// The `n` field is not a point of the curve.
    case invalidPayee
    /// A draft states a payee other than its signer.
    case payeeIsNotSigner
    /// An `x`, `c` or `9` field begins with a zero group.
    case fieldNotMinimal(Bolt11Field.Tag)
    /// An `x` or `c` field exceeds 64 bits.
    case fieldOutOfRange(Bolt11Field.Tag)
    /// An `f` field with a known version but a wrong length, or one without a version.
    case invalidFallbackAddress
    /// An `r` field that is not one or more 51-byte entries, each with a point of the curve.
    case invalidRouteHint

    // Feature bits
    /// An unknown even feature bit.
    case unknownRequiredFeature(bit: Int)
    /// A known feature without another that it depends on.
    case missingFeatureDependency(Bolt11Features.Feature, on: Bolt11Features.Feature)

    // Signature
    /// The recovery id exceeds 3.
    case invalidRecoveryID
    /// The payee is stated, and the signature's S is high.
    case highS
    /// The signature is not the stated payee's, or no key can be recovered from it.
    case invalidSignature
}

extension Bolt11Fault: ReadableFault {
    /// What is wrong, worded to follow "the invoice": "it has no payment hash".
    public var reason: String {
        switch self {
        case .encoding(let fault): fault.reason
        case .unknownPrefix: "it does not begin with lnbc, lntb, lntbs or lnbcrt"
        case .amountNotDecimal, .amountLeadingZero, .amountNotPositive, .unknownMultiplier: "its amount cannot be read"
        case .amountBelowMillisatoshi: "its amount is not a whole number of millisatoshis"
        case .amountTooLarge: "the amount exceeds 21 million bitcoin"
        case .tooShort: "it is too short"
        case .timestampTooLarge: "its timestamp is out of range"
        case .fieldTruncated: "a field is cut short"
        case .fieldTooLong(let tag): "field \(tag.letter) is too long"
        case .fieldPadding(let tag): "the last bits of field \(tag.letter) are not zero"
        case .missingPaymentHash: "it has no payment hash"
        case .missingPaymentSecret: "it has no payment secret"
        case .missingDescription: "it has neither a description nor a description hash"
        case .descriptionAndDescriptionHash: "it has both a description and a description hash"
        case .invalidDescriptionHash: "its description hash is not 32 bytes long"
        case .descriptionNotUTF8: "its description is not UTF-8"
        case .invalidPayee: "its payee is not a public key"
        case .payeeIsNotSigner: "it is not signed by its payee"
        case .fieldNotMinimal(let tag): "field \(tag.letter) begins with zeros"
        case .fieldOutOfRange(let tag): "the number in field \(tag.letter) is too large"
        case .invalidFallbackAddress: "a fallback address is malformed"
        case .invalidRouteHint: "a route hint is malformed"
        case .unknownRequiredFeature(let bit): "it requires the unknown feature \(bit)"
        case .missingFeatureDependency(let feature, let other):
            "its feature \(feature.rawValue) needs feature \(other.rawValue)"
        case .invalidRecoveryID, .invalidSignature: "its signature is wrong"
        case .highS: "its signature is not in the canonical form"
        }
    }
}
