import LNURL
package import LightningCoding
import ResponderModel

/// A reply to be posted to a reply URL or included in the response to a webhook.
package struct Reply: Hashable, Sendable {
    package let json: JSONValue
    /// The body: the same bytes for the same answer.
    package let body: [UInt8]
    /// Seconds for which it may be cached (`Cache-Control: max-age`); nil when unspecified.
    package let maxAge: UInt64?
    /// Seconds after which a retry may help; nil when unknown.
    package let retryAfter: UInt64?
    package let isError: Bool

    /// Creates a reply. A `maxAge` of 0 is the same as none.
    package init(_ json: JSONValue, maxAge: UInt64? = nil, retryAfter: UInt64? = nil, isError: Bool = false) {
        self.json = json
        body = json.serializedBytes()
        self.maxAge = maxAge == 0 ? nil : maxAge
        self.retryAfter = retryAfter
        self.isError = isError
    }

    /// The value of `Cache-Control`, or nil when there is none.
    package var cacheControl: String? { maxAge.map { "max-age=\($0)" } }
}

extension Refusal {
    /// The text for a payer whose request came by a notification, in the wording that wallets know from there.
    ///
    /// - Parameter amount: the requested amount, in msat.
    func notifiedReason(for amount: Millisatoshi?) -> String {
        switch self {
        case .amountOutOfLimits, .amountNotWholeSatoshis: "Invalid amount requested \(amount?.msat ?? 0)"
        case .commentTooLong: "Comment is too long"
        case .unavailable(.noLimits): "Minimum sendable amount is invalid"
        default: reason
        }
    }

    func notifiedReply(for amount: Millisatoshi? = nil) -> Reply {
        let retryAfter: UInt64? = if case .tooMany(let seconds) = self { seconds } else { nil }
        return Reply(
            ErrorResponse(reason: notifiedReason(for: amount)).json, retryAfter: retryAfter, isError: true)
    }
}

/// Why no reply is posted.
package enum Silence: Hashable, Sendable {
    /// Events of this type expect no reply.
    case notAsked
    case refused
    case unknownType
    case undecipherable(DecipherFault)
    /// An error would make the payer give up for good, and the same request may succeed a little later.
    case transient
    /// Even an error would reveal whom the offer belongs to (BOLT 12, "Requirements for Invoice Requests").
    case ignored
    case outOfTime
}
