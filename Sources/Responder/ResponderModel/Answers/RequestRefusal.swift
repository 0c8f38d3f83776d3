package import Bolt12
import LightningCoding

/// Why a payer's request for the invoice of an offer is refused.
package enum RequestRefusal: LedgerFaultConvertible, Hashable, Sendable {
    case request(InvoiceRequestFault)
    /// The payer's note contains U+0000, which not every ledger can store.
    case zeroInNote
    /// The request is for no offer of this account, or for a modified one.
    case unknownOffer
    case offerDisabled
    case offerExhausted
    /// The account's node cannot be paid over paths that are built here.
    case backendWithoutBolt12(BackendName)
    /// What a payer over LNURL would be refused for, too.
    case payment(Refusal)

    /// Whether nothing may be sent, not even an error, since that would reveal whom the offer belongs to (BOLT 12,
    /// "Requirements for Invoice Requests").
    package var isSilent: Bool {
        switch self {
        case .request(let fault): fault.isToBeIgnored
        default: false
        }
    }

    /// Whether the same request may succeed a little later. Payers give up for good on an `invoice_error`, so none is
    /// sent.
    package var isTransient: Bool {
        switch self {
        // Channels and peers come back without anyone changing anything.
        case .payment(.unavailable(.noLimits)), .payment(.unavailable(.backend(_, .nothingReceivable))): true
        case .payment(.unavailable(let cause)): cause.isTransient
        case .payment(.device(.refused)), .payment(.device(.unusable)): false
        case .payment(.tooMany), .payment(.device): true
        default: false
        }
    }

    /// The text for the operator's log: internal failures only, without secrets.
    package var cause: String? {
        switch self {
        case .payment(let refusal): refusal.cause
        case .backendWithoutBolt12(let name): "\(name) cannot be paid over paths that are made here"
        default: nil
        }
    }
}

extension RequestRefusal {
    /// The text for the payer in an `invoice_error`. It reveals nothing internal.
    package var reason: String {
        switch self {
        case .request(let fault): fault.payerReason
        case .zeroInNote: "The note must not contain U+0000"
        case .unknownOffer: "This offer is not known here"
        case .offerDisabled: "This offer is no longer valid"
        case .offerExhausted: "This offer has been used up"
        case .backendWithoutBolt12: "Offers cannot be paid here"
        case .payment(.amountOutOfLimits(let limits)):
            limits.wholeSatoshis().map { Self.between($0.minimum.msat / 1000, $0.maximum.msat / 1000) }
                ?? Self.between(limits.minimum.msat, limits.maximum.msat) + " msat"
        // The wording that wallets know from earlier services.
        case .payment(.unavailable(let cause)) where cause.isFinal: "Failed to create invoice"
        case .payment(let refusal): refusal.reason
        }
    }
}

extension RequestRefusal {
    package static func ledger(_ fault: LedgerFault) -> RequestRefusal { RequestRefusal(.ledger(fault)) }

    package static func unavailable(_ cause: Refusal.Cause) -> RequestRefusal { .payment(.unavailable(cause)) }

    /// The same refusal, of whoever asks for an offer. What the ledger says of the offer is known here.
    package init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .unknownAccount, .unavailable(.ledger(.unknownOffer)): .unknownOffer
            case .unavailable(.ledger(.offerDisabled)): .offerDisabled
            case .unavailable(.ledger(.offerExhausted)): .offerExhausted
            default: .payment(refusal)
            }
    }

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
        case .unexpectedQuantity: "This offer does not accept a quantity"
        case .unsupportedCurrency(let code): "\(code) cannot be converted here"
        case .amountOverflow: "The amount is too large"
        case .amountTooLow(let expected): "The amount must be at least \(expected.msat) msat"
        case .amountTooHigh(let expected): "The amount is far above the \(expected.msat) msat that are asked"
        case .missingAmount: "Amount missing in invoice request"
        case .unsupportedChain: "Payments on that chain are not accepted"
        case .invalidBIP353Name: "The BIP-353 name is malformed"
        }
    }
}
