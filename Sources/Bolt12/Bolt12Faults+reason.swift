import BlindedPaths
public import LightningCoding

// Each reason follows a colon, so it has no initial capital and no final full stop.

extension OfferFault: ReadableFault {
    /// What is wrong, worded to follow the offer's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .typeOutOfRange(let type): "\(Record(type)) does not belong in an offer"
        case .unknownRequiredFeature(let bit): "it requires the unknown feature \(bit)"
        case .unsupportedChain: "it is for an unknown chain"
        case .amountWithoutDescription: "it has an amount, but no description"
        case .amountNotPositive: "its amount is zero"
        case .currencyWithoutAmount: "it has a currency, but no amount"
        case .noWayToIssuer: "it has neither an issuer id nor a path"
        case .pathWithoutHops: "one of its paths has no hop"
        case .expired: "it has expired"
        case .invalidCurrency: "its currency is not three capital letters"
        }
    }
}

extension InvoiceRequestFault: ReadableFault {
    /// What is wrong, worded to follow the invoice request's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .missingPayerID: "it has no payer id"
        case .missingMetadata: "it has no metadata"
        case .typeOutOfRange(let type): "\(Record(type)) does not belong in an invoice request"
        case .unknownRequiredFeature(let bit): "it requires the unknown feature \(bit)"
        case .missingSignature: "it is not signed"
        case .invalidSignature: "its signature by the payer is invalid"
        case .pathWithoutHops: "one of its paths has no hop"
        case .offerMismatch: "it is for another offer"
        case .offerExpired: "the offer has expired"
        case .notViaOfferPath: "it did not come over a path of the offer"
        case .viaBlindedPath: "it came over a path, and the offer has none"
        case .missingQuantity: "it has no quantity, which the offer requires"
        case .quantityNotPositive: "its quantity is zero"
        case .quantityTooLarge(let maximum): "its quantity is above the offer's maximum of \(maximum)"
        case .unexpectedQuantity: "it has a quantity, which the offer does not accept"
        case .unsupportedCurrency(let currency): "the offer's price is in \(currency), which cannot be converted here"
        case .amountOverflow: "the amount exceeds 21 million bitcoin"
        case .amountTooLow(let expected): "its amount is below the price of \(expected.formatted)"
        case .amountTooHigh(let expected): "its amount is far above the price of \(expected.formatted)"
        case .missingAmount: "neither it nor the offer has an amount"
        case .fieldWithoutOffer(let type): "\(Record(type)) has a meaning only with an offer"
        case .unsupportedChain: "its chain is unknown, or not one of the offer's"
        case .invalidBIP353Name: "its BIP-353 name has an invalid character"
        }
    }
}

extension InvoiceFault: ReadableFault {
    /// What is wrong, worded to follow the invoice's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .missingAmount: "it has no amount"
        case .missingCreatedAt: "it has no creation time"
        case .missingPaymentHash: "it has no payment hash"
        case .missingNodeID: "it has no node id"
        case .unsupportedChain: "its chain is unknown"
        case .unknownRequiredFeature(let bit): "it requires the unknown feature \(bit)"
        case .expired: "it has expired"
        case .missingPaths: "it has no path"
        case .pathWithoutHops: "one of its paths has no hop"
        case .missingBlindedPay: "it does not state the fees of its paths"
        case .blindedPayMismatch: "it does not state the fees of each path"
        case .noUsablePath: "all its paths have an unknown feature"
        case .requestMismatch(let type): "\(Record(type)) is missing, changed or new: it answers another request"
        case .nodeIsNotIssuer: "its node id is not the offer's issuer id"
        case .nodeIsNotPathEnd: "its node id is not the end of a path of the offer"
        case .missingSignature: "it is not signed"
        case .invalidSignature: "its signature by its node id is invalid"
        case .amountIsNotRequested: "its amount is not the one that was requested"
        case .amountNotAuthorized: "its amount is not the offer's price"
        case .notViaRequestPath: "it did not come over a path of the request"
        case .viaBlindedPath: "it came over a path, and answers no offer"
        case .notViaReplyPath: "it did not come over the reply path of the request"
        case .signerIsNotNode: "it is to be signed with another key"
        }
    }
}

extension RecordFault {
    fileprivate var reason: String {
        switch self {
        case .text(let fault): fault.reason
        case .wrongPrefix(let expected): "it does not begin with \(expected)1"
        case .stream(let fault): "its records cannot be separated from byte \(fault.offset) on"
        case .unknownEvenType(let type): "\(Record(type)) is unknown and mandatory"
        case .malformed(let type, .spelling(let fault)): "\(Record(type)): \(fault.reason)"
        case .malformed(let type, .notAPoint): "\(Record(type)) is not a public key"
        case .malformed(let type, .path(let fault)): "\(Record(type)): \(fault.reason)"
        }
    }
}

/// A record as shown to people: `record 8 (offer_amount)`.
private struct Record: CustomStringConvertible {
    let type: UInt64

    init(_ type: UInt64) {
        self.type = type
    }

    var description: String {
        "record \(type)" + (RecordName.name(ofType: type).map { " (\($0))" } ?? "")
    }
}
