import HTTPTypes
import Hummingbird
import LightningCoding
import ResponderCore
import ResponderModel

/// Why an operator's request failed.
enum AdminFault: LedgerFaultConvertible, Hashable, Sendable {
    case unauthorized
    case notFound(String)
    case badRequest(String)
    case bodyTooLarge
    case conflict(String)
    case unavailable(String)

    init(_ fault: LedgerFault) {
        self =
            switch fault {
            case .unknownDomain: .notFound(fault.reason)
            case .nameRegistered, .hostOfAccount: .badRequest(fault.reason)
            default: .unavailable(fault.reason)
            }
    }

    static func ledger(_ fault: LedgerFault) -> AdminFault { AdminFault(fault) }

    init(_ fault: AccountFault) {
        self = if case .ledger(let fault) = fault { Self(fault) } else { .badRequest(fault.reason) }
    }

    init(_ fault: SettlementFault) {
        self = if case .failed = fault { .unavailable(fault.reason) } else { .conflict(fault.reason) }
    }

    init(_ refusal: OfferRefusal) {
        self =
            switch refusal {
            case .account(.unknownAccount): .notFound(refusal.reason)
            case .backendWithoutBolt12, .nodeAnswersOnlyItsOwn, .otherTerms, .paysAnother, .wasDisabled:
                .conflict(refusal.reason)
            case .node(_, let fault) where !fault.isTransient: .conflict(refusal.reason)
            default: refusal.isTransient ? .unavailable(refusal.reason) : .badRequest(refusal.reason)
            }
    }

    init(_ fault: BodyFault) {
        self =
            switch fault {
            case .tooLarge: .bodyTooLarge
            case .crowded: .unavailable("too many requests with a body at once; try again")
            case .json, .incomplete: .badRequest("the body must be a JSON document")
            }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .unauthorized: .unauthorized
        case .notFound: .notFound
        case .badRequest: .badRequest
        case .bodyTooLarge: .contentTooLarge
        case .conflict: .conflict
        case .unavailable: .serviceUnavailable
        }
    }

    var reason: String {
        switch self {
        case .unauthorized: "a bearer token is required"
        case .bodyTooLarge: "the body is too large"
        case .notFound(let reason), .badRequest(let reason), .conflict(let reason), .unavailable(let reason): reason
        }
    }

    var json: JSONValue { ["error": .string(reason)] }

    var response: Response {
        var response = Response.error(reason, status)
        if self == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    var outcome: Outcome {
        if case .unavailable = self { .failed } else { .refused }
    }
}

extension RouteInstruments.Observed {
    /// Builds the operator's response, or the error in its place.
    init(admin body: () async throws(AdminFault) -> JSONValue) async {
        do {
            self.init(.json(try await body(), headers: JSONHeaders.admin))
        } catch {
            self.init(error.response, error.outcome, cause: error.outcome == .failed ? error.reason : nil)
        }
    }
}
