public import Bolt12

extension OfferFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .record: "the offer cannot be read"
        case .typeOutOfRange(let type): "the offer has a record of type \(type), which does not belong in an offer"
        case .unknownRequiredFeature(let bit): "the offer requires the unknown feature \(bit)"
        case .unsupportedChain: "the offer is for a different chain than the account's node"
        case .amountWithoutDescription: "an offer with an amount needs a description"
        case .amountNotPositive: "the amount must be at least 1 msat"
        case .currencyWithoutAmount: "the offer has a currency and no amount"
        case .noWayToIssuer: "the offer has neither an issuer id nor a path"
        case .pathWithoutHops: "a path of the offer has no hops"
        case .expired: "the offer has expired"
        case .invalidCurrency: "a currency has three capital letters"
        }
    }
}
