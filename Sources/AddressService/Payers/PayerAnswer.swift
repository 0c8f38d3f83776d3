import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import Responding

/// What a payer is answered, with what caches may do with it.
struct PayerAnswer {
    let json: JSONValue
    let headers: HTTPFields

    init(_ json: JSONValue, headers: HTTPFields) {
        self.json = json
        self.headers = headers
    }
}

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

extension RouteInstruments.Observed {
    /// Makes the answer, or the ERROR that takes its place, always with status 200: HTTP clients tend to throw away the
    /// body, and with it the reason, when the status is another (LUD-01).
    init(_ body: () async throws(PayerFault) -> PayerAnswer) async {
        do {
            let answer = try await body()
            self.init(.json(answer.json, headers: answer.headers))
        } catch {
            self.init(fault: error)
        }
    }

    init(fault: PayerFault) {
        var response = Response.payerError(fault.reason)
        if let seconds = fault.retryAfter { response.headers[.retryAfter] = String(seconds) }
        if case .refusal(let refusal) = fault {
            self.init(response, refusal.outcome, cause: refusal.unnoticedCause)
        } else {
            self.init(response, .refused)
        }
    }
}

extension Response {
    /// `{"status":"ERROR","reason":…}`, which no cache keeps.
    static func payerError(_ reason: String, status: HTTPResponse.Status = .ok) -> Response {
        .json(ErrorResponse(reason: reason).json, status: status, headers: PayerHeaders.noStore)
    }
}

/// The headers of answers to payers, made once.
enum PayerHeaders {
    static let noStore = JSONHeaders.payer(caching: .noStore)
    static let forever = JSONHeaders.payer(caching: .forever)

    /// The answer to a browser that asks whether it may ask (CORS preflight).
    static let preflight: HTTPFields = [
        .accessControlAllowOrigin: "*",
        .accessControlAllowMethods: "GET, HEAD, POST, OPTIONS",
        .accessControlAllowHeaders: "*",
        .accessControlMaxAge: "86400",
        .allow: "GET, HEAD, POST, OPTIONS",
    ]
}
