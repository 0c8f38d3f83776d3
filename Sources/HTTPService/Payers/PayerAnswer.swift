import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import Contracts
import ResponderCore

/// What a payer is answered, with what caches may do with it.
struct PayerAnswer {
    let json: JSONValue
    let headers: HTTPFields

    init(_ json: JSONValue, headers: HTTPFields) {
        self.json = json
        self.headers = headers
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
