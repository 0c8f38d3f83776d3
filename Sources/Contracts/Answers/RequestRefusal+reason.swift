import Bolt12
import LightningCoding

extension RequestRefusal {
    /// The text for the payer in an `invoice_error`. It reveals nothing internal.
    public var reason: String {
        switch self {
        case .request(let fault): fault.payerReason
        case .zeroInNote: "The note must not contain U+0000"
        case .unknownOffer: "This offer is not known here"
        case .offerDisabled: "This offer is no longer valid"
        case .offerExhausted: "This offer has been used up"
        case .amountOutOfLimits(let limits):
            limits.wholeSatoshis().map { Self.between($0.minimum.msat / 1000, $0.maximum.msat / 1000) }
                ?? Self.between(limits.minimum.msat, limits.maximum.msat) + " msat"
        case .amountNotWholeSatoshis: "The amount must be a multiple of 1000 msat"
        case .backendWithoutBolt12: "Offers cannot be paid here"
        case .tooMany: "Too many payments are being waited for; please try again later"
        case .device(let refusal): refusal.reason
        case .unavailable(let cause) where cause.isFinal: Self.noInvoice
        case .unavailable(let cause): cause.reason
        case .nodeNotReachable, .nodeBehind: "Temporarily unavailable; please try again later"
        case .path, .invoice: Self.noInvoice
        }
    }
}

extension RequestRefusal {
    /// The wording that wallets know from earlier services.
    private static let noInvoice = "Failed to create invoice"

    /// The same, in satoshis.
    private static func between(_ minimum: UInt64, _ maximum: UInt64) -> String {
        "Amount must be between \(minimum) and \(maximum)"
    }
}

extension Refusal.Cause {
    /// Whether a retry is pointless and there is nothing else to say.
    fileprivate var isFinal: Bool {
        switch self {
        case .noLimits, .backend(_, .nothingReceivable), .backend(_, .amountNotPossible): false
        default: !isTransient
        }
    }
}

extension InvoiceRequestFault {
    fileprivate var payerReason: String {
        switch self {
        case .record, .missingPayerID, .missingMetadata, .typeOutOfRange, .pathWithoutHops, .fieldWithoutOffer:
            "The invoice request is malformed"
        case .unknownRequiredFeature(let bit): "The invoice request requires the unknown feature \(bit)"
        case .missingSignature: "The invoice request is not signed"
        case .invalidSignature: "The signature of the invoice request is wrong"
        case .offerMismatch, .notViaOfferPath, .viaBlindedPath: "The invoice request is not for this offer"
        case .offerExpired: "This offer has expired"
        case .missingQuantity: "A quantity is needed"
        case .quantityNotPositive: "The quantity must be at least 1"
        case .quantityTooLarge(let maximum): "The quantity must be at most \(maximum)"
        case .unexpectedQuantity: "This offer takes no quantity"
        case .unsupportedCurrency(let code): "\(code) cannot be converted here"
        case .amountOverflow: "The amount is too large"
        case .amountTooLow(let expected): "The amount must be at least \(expected.msat) msat"
        case .amountTooHigh(let expected): "The amount is far above the \(expected.msat) msat that are asked"
        case .missingAmount: "Amount missing in invoice request"
        case .unsupportedChain: "Payments on that chain are not taken here"
        case .invalidBIP353Name: "The BIP-353 name is malformed"
        }
    }
}
