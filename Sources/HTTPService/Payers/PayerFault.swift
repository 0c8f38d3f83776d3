import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import Contracts
import ResponderCore

/// Why a payer gets no answer: a rule of payments, or one of the way by which they asked.
enum PayerFault: Error, Hashable, Sendable {
    case refusal(Refusal)
    /// The path asks nothing that is answered here.
    case unknownPath
    /// That path is asked with another method.
    case wrongMethod(allowed: String)
    /// The query is not percent-encoded UTF-8.
    case malformedQuery
    /// The parameters break a rule.
    case callback(CallbackFault)
    case body(BodyFault)
    /// So many asked that this one must wait.
    case tooOften(retryAfter: UInt64)

    /// After how many seconds asking again may help; nil when nothing is known about that.
    var retryAfter: UInt64? {
        switch self {
        case .tooOften(let seconds), .refusal(.tooMany(let seconds)): seconds
        default: nil
        }
    }

    /// What the payer reads.
    var reason: String {
        switch self {
        case .refusal(let refusal): refusal.reason
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
