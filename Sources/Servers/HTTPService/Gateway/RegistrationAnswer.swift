import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import NIOCore
import Registrations
import ResponderModel

/// A response to a wallet, in the words of breez-lnurl.
struct RegistrationAnswer {
    let response: Response
    let outcome: Outcome
    /// What the operator reads: an internal failure, or why a statement was refused.
    let cause: String?
    /// Whether a registration was changed, other than renewed.
    private(set) var changes = false

    private init(_ response: Response, _ outcome: Outcome, _ cause: String? = nil) {
        var response = response
        // Wallets run in browsers too, and every change is signed.
        response.headers[.accessControlAllowOrigin] = "*"
        self.response = response
        self.outcome = outcome
        self.cause = cause
    }

    /// JSON with status 200.
    static func json(_ value: JSONValue) -> RegistrationAnswer {
        RegistrationAnswer(.registration(value.serializedBytes(), "application/json"), .answered)
    }

    /// Nothing, with a status.
    static func empty(_ status: HTTPResponse.Status, _ outcome: Outcome = .refused) -> RegistrationAnswer {
        RegistrationAnswer(Response(status: status), outcome)
    }

    /// A line of text: an error.
    static func text(
        _ text: String, _ status: HTTPResponse.Status, retryAfter: UInt64? = nil, cause: String? = nil
    ) -> RegistrationAnswer {
        var response = Response.registration(
            Array((text + "\n").utf8), "text/plain; charset=utf-8", status: status)
        if let name = HTTPField.Name("X-Content-Type-Options") { response.headers[name] = "nosniff" }
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return RegistrationAnswer(response, .refused, cause)
    }

    /// The same, to an order that had that effect on the registration of its key.
    func changing(_ former: Registration?, to present: Registration?) -> RegistrationAnswer {
        var answer = self
        answer.changes = former?.contents != present?.contents
        return answer
    }

    static func failed(_ fault: LedgerFault) -> RegistrationAnswer {
        RegistrationAnswer(Response(status: .internalServerError), .failed, fault.reason)
    }
}

extension Registration {
    /// What its wallet has said.
    fileprivate var contents: [String?] { [name?.text, webhook?.text, offer] }
}

extension Response {
    fileprivate static func registration(
        _ body: [UInt8], _ contentType: String, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status, headers: [.contentType: contentType, .cacheControl: "no-store, private"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
