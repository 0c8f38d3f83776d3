import HTTPTypes
import Hummingbird
import LNURL
import Logging
import ResponderModel

extension RouteInstruments {
    /// Answers a payer and records the outcome. An ERROR too has status 200: with any other, HTTP clients tend to discard
    /// the body and with it the reason (LUD-01).
    func answer(_ logger: Logger, _ answer: () async throws(PayerFault) -> Response) async -> Response {
        await observe(logger) {
            do throws(PayerFault) {
                return Observed(try await answer())
            } catch {
                return Observed(fault: error)
            }
        }
    }
}

extension RouteInstruments.Observed {
    init(fault: PayerFault) {
        var response = Response.payerError(fault.reason)
        if let seconds = fault.retryAfter { response.headers[.retryAfter] = String(seconds) }
        switch fault {
        case .refusal(let refusal): self.init(response, refusal.outcome, cause: refusal.cause)
        case .host(.ledger(let fault)): self.init(response, .failed, cause: fault.reason)
        default: self.init(response, .refused)
        }
    }
}

extension Response {
    /// `{"status":"ERROR","reason":…}`, never cached.
    static func payerError(_ reason: String, status: HTTPResponse.Status = .ok) -> Response {
        .json(ErrorResponse(reason: reason).json, status: status, headers: PayerHeaders.noStore)
    }
}

/// The headers of responses to payers, built once.
enum PayerHeaders {
    static let noStore = JSONHeaders.payer(caching: .noStore)
    static let forever = JSONHeaders.payer(caching: .forever)

    /// The response to a CORS preflight, where routes have these methods. Devices show their secret in a field that `*` does
    /// not stand for.
    static func preflight(_ methods: Set<HTTPRequest.Method>) -> HTTPFields {
        let more = [HTTPRequest.Method.put, .patch, .delete].filter(methods.contains).map { $0.rawValue + ", " }
        let methods = "GET, HEAD, POST, \(more.joined())OPTIONS"
        return [
            .accessControlAllowOrigin: "*",
            .accessControlAllowMethods: methods,
            .accessControlAllowHeaders: "*, Authorization",
            .accessControlMaxAge: "86400",
            .allow: methods,
        ]
    }
}
