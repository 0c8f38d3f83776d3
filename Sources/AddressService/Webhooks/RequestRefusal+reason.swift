import Bolt12
import LightningCoding
import Receiving
import Responding

extension RequestRefusal {
    /// What the payer reads in an `invoice_error`. Nothing in it comes from inside.
    var reason: String {
        switch self {
        case .request(let fault): fault.reason
        case .unknownOffer: "This offer is not known here"
        case .offerDisabled: "This offer is no longer valid"
        case .offerExhausted: "This offer has been used up"
        case .amountOutOfLimits(let limits):
            "The amount must be between \(limits.minimum.msat) and \(limits.maximum.msat) msat"
        case .amountNotWholeSatoshis: "The amount must be a multiple of 1000 msat"
        case .backendWithoutBolt12: "Offers cannot be paid here"
        case .unavailable(.noLimits), .unavailable(.backend(_, .nothingReceivable)):
            "Nothing can be received at the moment; please try again later"
        case .unavailable: "Temporarily unavailable; please try again later"
        case .path, .invoice: "No invoice can be made for this request"
        }
    }
}

extension InvoiceRequestFault {
    fileprivate var reason: String {
        switch self {
        case .record, .missingPayerID, .missingMetadata, .typeOutOfRange, .pathWithoutHops, .fieldWithoutOffer:
            "The invoice request is malformed"
        case .unknownRequiredFeature(let bit): "The invoice request needs feature \(bit), which is not known here"
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
        case .missingAmount: "An amount is needed"
        case .unsupportedChain: "Payments on that chain are not taken here"
        case .invalidBIP353Name: "The BIP-353 name is malformed"
        }
    }
}
