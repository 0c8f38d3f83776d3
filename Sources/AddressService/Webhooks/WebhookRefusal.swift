import HTTPTypes
import Hummingbird
import LightningCoding
import Responding

/// Why a webhook call is not answered with an invoice.
enum WebhookRefusal: Error, Hashable, Sendable {
    /// No such account, or not its secret: which of the two, nobody learns.
    case unknown
    /// The call is not one that is known here.
    case call(CallFault)
    /// The request gets no invoice.
    case request(RequestRefusal)

    /// A status of the 200s is passed on to the payer, for whom an error is the end of it; with any other the forwarder tries
    /// again, and then the payer hears nothing.
    var response: Response {
        switch self {
        case .unknown: .payerError(PayerFault.unknownPath.reason, status: .notFound)
        case .call(.body(.tooLarge)): .webhookError("the body is too large", status: .contentTooLarge)
        case .call(.body): .webhookError("the body must be a JSON document", status: .badRequest)
        case .call(.notAnInvoiceRequest): .webhookError("this is no invoice.request", status: .badRequest)
        case .call(.notHexadecimal): .webhookError("invoiceRequest must be hexadecimal", status: .badRequest)
        case .request(let refusal) where refusal.isSilent: Response(status: .noContent)
        case .request(let refusal) where refusal.isTransient:
            .webhookError(refusal.reason, status: .serviceUnavailable)
        case .request(let refusal): .webhookError(refusal.reason)
        }
    }

    var outcome: Outcome {
        cause == nil ? .refused : .failed
    }

    /// What belongs into the log: only what failed inside, which holds no secrets.
    var cause: String? {
        guard case .request(let refusal) = self else { return nil }
        return refusal.cause
    }
}

extension Response {
    /// An answer to a webhook call, which no cache keeps.
    static func webhook(_ json: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        .json(json, status: status, headers: JSONHeaders.admin)
    }

    fileprivate static func webhookError(_ reason: String, status: HTTPResponse.Status = .ok) -> Response {
        .webhook(["error": .string(reason)], status: status)
    }
}
