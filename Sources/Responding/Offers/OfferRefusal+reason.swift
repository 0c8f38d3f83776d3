public import Bolt12

extension OfferRefusal {
    /// What the operator reads.
    public var reason: String {
        switch self {
        case .account(.unavailable(.ledger(let fault))): fault.reason
        case .account(.unavailable(let cause)): "the account's node does not answer: \(cause)"
        case .account: "there is no such account"
        case .backendWithoutBolt12(let name):
            "\(name) cannot be paid over paths that are made here, so that no offer can be made for its accounts (BOLT12)"
        case .terms(.offer(let fault)): fault.reason
        case .terms(.path): "no path can be made by that introduction"
        case .terms(.tooManyPaths): "an offer has \(OfferIssuer.maximumPaths) paths at most"
        case .terms(.randomness): "the system gives no random bytes"
        case .wrongKey: "the key is not that of the offer's issuer"
        }
    }

    /// Whether the same may succeed a little later.
    public var isTransient: Bool {
        switch self {
        case .account(.unavailable), .terms(.randomness): true
        case .account, .backendWithoutBolt12, .terms, .wrongKey: false
        }
    }
}

extension OfferFault {
    /// What the operator reads.
    public var reason: String {
        switch self {
        case .record: "that is no offer: it cannot be read"
        case .typeOutOfRange(let type): "the offer has a record of type \(type), which belongs into no offer"
        case .unknownRequiredFeature(let bit): "the offer needs feature \(bit), which is not known here"
        case .unsupportedChain: "the offer is for another chain than the account's node"
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
