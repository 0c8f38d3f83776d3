import ResponderCore
import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import Contracts

/// A response to a payer, with its caching.
struct PayerAnswer: Sendable {
    let json: JSONValue
    let headers: HTTPFields

    init(_ json: JSONValue, headers: HTTPFields) {
        self.json = json
        self.headers = headers
    }

    /// Once the preimage is told, the answer never changes.
    init(_ answer: VerifyResponse) {
        self.init(answer.json, headers: answer.preimage == nil ? PayerHeaders.noStore : PayerHeaders.forever)
    }
}

extension RouteInstruments.Observed {
    /// Builds the response, or the ERROR in its place, always with status 200: with any other status, HTTP clients tend
    /// to discard the body and with it the reason (LUD-01).
    init(_ body: () async throws(PayerFault) -> PayerAnswer) async {
        do {
            self.init(try await body())
        } catch {
            self.init(fault: error)
        }
    }

    init(_ answer: PayerAnswer) {
        self.init(.json(answer.json, headers: answer.headers))
    }

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
