import BlindedPaths
import LightningCoding

extension RecordFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .text(let fault): fault.rule
        case .wrongPrefix: "wrong-prefix"
        case .stream(let fault): "stream-" + fault.rule
        case .unknownEvenType: "unknown-even-type"
        case .malformed(_, .encoding(let fault)): "value-" + fault.rule
        case .malformed(_, .notAPoint): "value-not-a-point"
        case .malformed(_, .path(.encoding(let fault))): "path-" + fault.rule
        case .malformed(_, .path(.invalidIntroductionNode)): "path-invalid-introduction-node"
        case .malformed(_, .path(.invalidFirstPathKey)): "path-invalid-path-key"
        case .malformed(_, .path(.invalidBlindedNodeID)): "path-invalid-blinded-node-id"
        case .malformed(_, .path): "path-invalid"
        }
    }
}

extension OfferFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .record(let fault): fault.rule
        case .typeOutOfRange: "type-out-of-range"
        case .unknownRequiredFeature: "unknown-required-feature"
        case .unsupportedChain: "unsupported-chain"
        case .amountWithoutDescription: "amount-without-description"
        case .amountNotPositive: "amount-not-positive"
        case .currencyWithoutAmount: "currency-without-amount"
        case .noWayToIssuer: "no-way-to-issuer"
        case .pathWithoutHops: "path-without-hops"
        case .expired: "expired"
        case .invalidCurrency: "invalid-currency"
        }
    }
}

extension InvoiceRequestFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .record(let fault): fault.rule
        case .missingPayerID: "missing-payer-id"
        case .missingMetadata: "missing-metadata"
        case .typeOutOfRange: "type-out-of-range"
        case .unknownRequiredFeature: "unknown-required-feature"
        case .missingSignature: "missing-signature"
        case .invalidSignature: "invalid-signature"
        case .pathWithoutHops: "path-without-hops"
        case .offerMismatch: "offer-mismatch"
        case .offerExpired: "offer-expired"
        case .notViaOfferPath: "not-via-offer-path"
        case .viaBlindedPath: "via-blinded-path"
        case .missingQuantity: "missing-quantity"
        case .quantityNotPositive: "quantity-not-positive"
        case .quantityTooLarge: "quantity-too-large"
        case .unexpectedQuantity: "unexpected-quantity"
        case .unsupportedCurrency: "unsupported-currency"
        case .amountOverflow: "amount-overflow"
        case .amountTooLow: "amount-too-low"
        case .amountTooHigh: "amount-too-high"
        case .missingAmount: "missing-amount"
        case .fieldWithoutOffer: "field-without-offer"
        case .unsupportedChain: "unsupported-chain"
        case .invalidBIP353Name: "invalid-bip353-name"
        }
    }
}

extension InvoiceFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .record(let fault): fault.rule
        case .missingAmount: "missing-amount"
        case .missingCreatedAt: "missing-created-at"
        case .missingPaymentHash: "missing-payment-hash"
        case .missingNodeID: "missing-node-id"
        case .unsupportedChain: "unsupported-chain"
        case .unknownRequiredFeature: "unknown-required-feature"
        case .expired: "expired"
        case .missingPaths: "missing-paths"
        case .pathWithoutHops: "path-without-hops"
        case .missingBlindedPay: "missing-blinded-pay"
        case .blindedPayMismatch: "blinded-pay-mismatch"
        case .noUsablePath: "no-usable-path"
        case .requestMismatch: "request-mismatch"
        case .nodeIsNotIssuer: "node-is-not-issuer"
        case .nodeIsNotPathEnd: "node-is-not-path-end"
        case .missingSignature: "missing-signature"
        case .invalidSignature: "invalid-signature"
        case .amountIsNotRequested: "amount-is-not-requested"
        case .amountNotAuthorized: "amount-not-authorized"
        case .notViaRequestPath: "not-via-request-path"
        case .viaBlindedPath: "via-blinded-path"
        case .notViaReplyPath: "not-via-reply-path"
        case .signerIsNotNode: "signer-is-not-node"
        }
    }
}

extension InvoiceErrorFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .record(let fault): fault.rule
        case .missingMessage: "missing-message"
        case .suggestionWithoutField: "suggestion-without-field"
        }
    }
}
