import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// How a notification was handled.
package struct NotificationResult: Sendable {
    private let found: NotificationAnswer
    package let type: NotificationType
    /// For the ledger's event log; the delivery of the reply is added later.
    package internal(set) var record: EventRecord
    /// The delivery of the reply; nil when there was none to post.
    package internal(set) var delivery: DeliveryReport?
    /// Why it is not recorded in the ledger; nil when it is, or is not to be.
    package internal(set) var recordFault: LedgerFault?

    init(_ found: NotificationAnswer, to type: NotificationType, record: EventRecord) {
        self.found = found
        self.type = type
        self.record = record
    }

    /// The reply to post, or why there is none.
    package var answer: Answer { found.answer }

    /// The internal failure, for the operator's log only; nil when there was none. No secrets.
    package var cause: String? { found.cause }

    /// What the user is told instead of the text for the type; nil for that text.
    package var news: NotificationNews? { found.news }

    package enum Answer: Hashable, Sendable {
        case reply(Reply)
        case none(Silence)
    }

    package var reply: Reply? {
        if case .reply(let reply) = answer { reply } else { nil }
    }
}

/// The answer to a notification, before its delivery.
package struct NotificationAnswer: Sendable {
    /// The reply to post, or why there is none.
    package let answer: NotificationResult.Answer
    package let outcome: EventRecord.Outcome
    package var paymentHash: PaymentHash?
    /// What the user is told instead of the text for the type; nil for that text.
    package var news: NotificationNews?
    /// The internal failure, for the operator's log only. No secrets.
    package var cause: String?

    package init(
        _ answer: NotificationResult.Answer,
        outcome: EventRecord.Outcome,
        paymentHash: PaymentHash? = nil,
        news: NotificationNews? = nil,
        cause: String? = nil
    ) {
        self.answer = answer
        self.outcome = outcome
        self.paymentHash = paymentHash
        self.news = news
        self.cause = cause
    }

    package static func reply(_ reply: Reply, paymentHash: PaymentHash? = nil) -> NotificationAnswer {
        NotificationAnswer(.reply(reply), outcome: reply.isError ? .refused : .answered, paymentHash: paymentHash)
    }

    /// Everything is done, and no reply is expected.
    package static func done(_ paymentHash: PaymentHash? = nil, news: NotificationNews? = nil) -> NotificationAnswer {
        NotificationAnswer(.none(.notAsked), outcome: .done, paymentHash: paymentHash, news: news)
    }
}

/// What has become known by answering a notification. The text for it is in ``NotificationTexts``.
package enum NotificationNews: Hashable, Sendable {
    case received(Millisatoshi)
    /// The swap goes on, or waits for its owner.
    case unfinished(SwapStatus)
    case undecipherable
    /// A handler's own text.
    case text(NotificationText)
}

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

    package var cacheControl: String? { maxAge.map { "max-age=\($0)" } }
}

extension Refusal {
    /// The text for a payer whose request came by a notification, in the wording that wallets know from there.
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
