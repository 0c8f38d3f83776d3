import HTTPTypes
import Hummingbird
import LNURL
import ResponderModel

/// Why a payer's request failed: a payment rule, or an HTTP one.
enum PayerFault: Error, Hashable, Sendable {
    case refusal(Refusal)
    /// The host is not that of one domain.
    case host(HostFault)
    case unknownPath
    case wrongMethod(allowed: String)
    /// The query is not percent-encoded UTF-8.
    case malformedQuery
    case callback(CallbackFault)
    case body(BodyFault)
    /// Rate limited: the client must wait.
    case tooOften(retryAfter: UInt64)

    /// Seconds after which a retry may help; nil when unknown.
    var retryAfter: UInt64? {
        switch self {
        case .tooOften(let seconds), .refusal(.tooMany(let seconds)): seconds
        case .refusal(.device(let refusal)): refusal.retryAfter
        default: nil
        }
    }

    var reason: String {
        switch self {
        case .refusal(let refusal): refusal.reason
        case .host(.unknown): "There is no payment address at this host"
        case .host(.several): "The request names more than one host"
        case .host(.ledger(let fault)): Refusal.unavailable(.ledger(fault)).reason
        case .unknownPath: "No such path"
        case .wrongMethod(let allowed): "This path answers \(allowed) only"
        case .malformedQuery: "The query is malformed"
        case .callback(let fault): fault.reason
        case .tooOften: "Too many requests; please try again later"
        case .body(.tooLarge): "The body is too large"
        case .body(.crowded): "Temporarily unavailable; please try again later"
        case .body(.json), .body(.incomplete): "The body must be a JSON object"
        }
    }
}

extension CallbackFault {
    var reason: String {
        switch self {
        case .bodyNotAnObject: "The body must be a JSON object"
        case .repeated(let parameter): "\(parameter.rawValue) is given more than once"
        case .malformed(let parameter): "\(parameter.rawValue) is of the wrong type"
        case .zero(let parameter): "\(parameter.rawValue) must not contain U+0000"
        case .amountMissing: "amount is missing; it is the number of millisatoshis to pay"
        case .amountNotDigits: "amount must be a whole number of millisatoshis, in digits only"
        case .amountZero: "amount must be at least 1"
        case .amountTooLarge: "amount is too large"
        }
    }
}

extension Refusal {
    var outcome: Outcome { cause == nil ? .refused : .failed }

    /// Whether the request itself was wrong, so that no invoice was ordered for it.
    var isClientError: Bool {
        switch self {
        // Of several who answer one challenge at once all but one learn this after the node has made their invoices.
        case .challenge(.used): false
        case .unknownAccount, .unknownVersion, .amountOutOfLimits, .amountNotWholeSatoshis, .commentTooLong, .payerData,
            .challenge, .unknownInvoice:
            true
        case .tooMany, .device, .unavailable: false
        }
    }
}
