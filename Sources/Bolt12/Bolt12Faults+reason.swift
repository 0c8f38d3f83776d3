import BlindedPaths
public import LightningCoding

// Each reason follows a colon, so it has no initial capital and no final full stop.

extension OfferFault: ReadableFault {
    /// What is wrong, worded to follow the offer's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .typeOutOfRange(let type): "\(Record(type)) does not belong into an offer"
        case .unknownRequiredFeature(let bit): "it requires feature \(bit), which is unknown here"
        case .unsupportedChain: "it is for no chain that is known here"
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
        case .typeOutOfRange(let type): "\(Record(type)) does not belong into an invoice request"
        case .unknownRequiredFeature(let bit): "it requires feature \(bit), which is unknown here"
        case .missingSignature: "it is not signed"
        case .invalidSignature: "its signature is not the payer's over these records"
        case .pathWithoutHops: "one of its paths has no hop"
        case .offerMismatch: "it is for another offer"
        case .offerExpired: "the offer has expired"
        case .notViaOfferPath: "it did not come over a path of the offer"
        case .viaBlindedPath: "it came over a path, and the offer has none"
        case .missingQuantity: "it states no quantity, which the offer asks for"
        case .quantityNotPositive: "its quantity is zero"
        case .quantityTooLarge(let maximum): "its quantity is above the offer's maximum of \(maximum)"
        case .unexpectedQuantity: "it states a quantity, and the offer takes none"
        case .unsupportedCurrency(let currency): "the offer's price is in \(currency), which cannot be converted here"
        case .amountOverflow: "there are not that many bitcoin"
        case .amountTooLow(let expected): "its amount is below the price of \(expected.formatted)"
        case .amountTooHigh(let expected): "its amount is far above the price of \(expected.formatted)"
        case .missingAmount: "neither it nor the offer has an amount"
        case .fieldWithoutOffer(let type): "\(Record(type)) has a meaning only with an offer"
        case .unsupportedChain: "its chain is not one of the offer's, or not known here"
        case .invalidBIP353Name: "its BIP-353 name has a letter that none may have"
        }
    }
}

extension InvoiceFault: ReadableFault {
    /// What is wrong, worded to follow the invoice's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .missingAmount: "it has no amount"
        case .missingCreatedAt: "it does not say when it was made"
        case .missingPaymentHash: "it has no payment hash"
        case .missingNodeID: "it has no node id"
        case .unsupportedChain: "its chain is not known here"
        case .unknownRequiredFeature(let bit): "it requires feature \(bit), which is unknown here"
        case .expired: "it has expired"
        case .missingPaths: "it has no path"
        case .pathWithoutHops: "one of its paths has no hop"
        case .missingBlindedPay: "it does not say what its paths cost"
        case .blindedPayMismatch: "it does not say for each path what it costs"
        case .noUsablePath: "all its paths have an unknown feature"
        case .requestMismatch(let type): "\(Record(type)) is missing, changed or new: it answers another request"
        case .nodeIsNotIssuer: "its node id is not the offer's issuer id"
        case .nodeIsNotPathEnd: "its node id is not the end of a path of the offer"
        case .missingSignature: "it is not signed"
        case .invalidSignature: "its signature is not that of its node id over these records"
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
        case .stream(let fault): "its records from byte \(fault.offset) on cannot be told apart"
        case .unknownEvenType(let type): "\(Record(type)) is unknown here, and must be understood"
        case .malformed(let type, .spelling(let fault)): "\(Record(type)): \(fault.reason)"
        case .malformed(let type, .notAPoint): "\(Record(type)) is no public key"
        case .malformed(let type, .path(let fault)): "\(Record(type)): \(fault.reason)"
        }
    }
}

/// A record as people read it: `record 8 (offer_amount)`.
private struct Record: CustomStringConvertible {
    let type: UInt64

    init(_ type: UInt64) {
        self.type = type
    }

    var description: String {
        "record \(type)" + (RecordName.name(ofType: type).map { " (\($0))" } ?? "")
    }
}
