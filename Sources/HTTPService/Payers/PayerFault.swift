import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import Contracts

/// Why a payer's request failed: a payment rule, or an HTTP one.
enum PayerFault: Error, Hashable, Sendable {
    case refusal(Refusal)
    /// The host is not that of one domain.
    case host(HostFault)
    /// Not a path that is answered here.
    case unknownPath
    /// The path requires another method.
    case wrongMethod(allowed: String)
    /// The query is not percent-encoded UTF-8.
    case malformedQuery
    /// The parameters break a rule.
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

    /// The text for the payer.
    var reason: String {
        switch self {
        case .refusal(let refusal): refusal.reason
        case .host(.unknown): "There is no payment address at this host"
        case .host(.several): "The request names more than one host"
        case .host(.ledger(let fault)): Refusal.unavailable(.ledger(fault)).reason
        case .unknownPath: "There is nothing at this path"
        case .wrongMethod(let allowed): "This path answers \(allowed) only"
        case .malformedQuery: "The query is malformed"
        case .callback(let fault): fault.reason
        case .tooOften: "Too many requests; please try again later"
        case .body(.tooLarge): "The body is too large"
        case .body(.json), .body(.incomplete): "The body must be a JSON object"
        }
    }
}
