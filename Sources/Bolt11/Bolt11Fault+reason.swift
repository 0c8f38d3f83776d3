public import LightningCoding

extension Bolt11Fault: ReadableFault {
    /// What is wrong, worded to follow "the invoice": "it has no payment hash".
    public var reason: String {
        switch self {
        case .spelling(let fault): fault.reason
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
