import HTTPTypes
import Hummingbird
import LightningCoding
import ResponderCore
import ResponderModel

/// Why a notification is not accepted.
enum WebhookRefusal: LedgerFaultConvertible, Hashable, Sendable {
    /// No such account, or a wrong secret: the caller does not learn which.
    case unknown
    /// The body could not be read.
    case body(BodyFault)
    /// The body is not a notification.
    case envelope(EnvelopeFault)
    /// The reply URL is not allowed.
    case replyURL(NotificationType, ReplyURLFault)
    /// Rate limited; the type is nil when it was not read.
    case tooOften(NotificationType?, retryAfter: UInt64)
    /// The queue takes no more.
    case busy(NotificationType)
    case ledger(LedgerFault)

    var response: Response {
        switch self {
        case .unknown: .payerError(PayerFault.unknownPath.reason, status: .notFound)
        case .body(.tooLarge), .envelope(.tooLarge): refusal("the body is too large", .contentTooLarge)
        case .body(.json), .body(.incomplete): refusal("the body must be a JSON document", .badRequest)
        case .envelope(let fault): refusal(fault.reason, .badRequest)
        case .replyURL: refusal("posting to that reply_url is not allowed", .badRequest)
        case .tooOften(_, let seconds):
            refusal("Too many requests; please try again later", .tooManyRequests, retryAfter: seconds)
        case .busy, .body(.crowded):
            refusal(
                "Temporarily unavailable; please try again later", .serviceUnavailable,
                retryAfter: NotificationQueue.retryAfter)
        case .ledger: refusal("Temporarily unavailable; please try again later", .serviceUnavailable)
        }
    }

    var outcome: Outcome {
        switch self {
        case .ledger, .busy, .body(.crowded): .failed
        case .unknown, .body, .envelope, .replyURL, .tooOften: .refused
        }
    }

    /// What to log: only internal failures, which hold no secrets.
    var cause: String? {
        if case .ledger(let fault) = self { fault.reason } else { nil }
    }

    /// An error in the format of the notification's family, or in both formats when it is unknown.
    private func refusal(
        _ reason: String, _ status: HTTPResponse.Status, retryAfter: UInt64? = nil
    ) -> Response {
        var object = JSONObject()
        if family != .offers {
            object.append("status", "ERROR")
            object.append("reason", .string(reason))
        }
        if family != .addresses { object.append("error", .string(reason)) }
        return .webhook(JSONValue.object(object).serializedBytes(), status: status, retryAfter: retryAfter)
    }

    private enum Family {
        /// LNURL: `{"status":"ERROR","reason":…}`.
        case addresses
        /// BOLT12: `{"error":…}`.
        case offers
    }

    private var family: Family? {
        switch self {
        case .unknown, .body, .envelope, .ledger, .tooOften(nil, _): nil
        case .replyURL(.invoiceRequest, _), .tooOften(.invoiceRequest?, _), .busy(.invoiceRequest): .offers
        case .replyURL, .tooOften, .busy: .addresses
        }
    }
}

extension Response {
    /// A response to a webhook call, never cached.
    static func webhook(
        _ json: [UInt8], status: HTTPResponse.Status = .ok, retryAfter: UInt64? = nil
    ) -> Response {
        var headers = JSONHeaders.admin
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return .bytes(json, status: status, headers: headers)
    }
}
