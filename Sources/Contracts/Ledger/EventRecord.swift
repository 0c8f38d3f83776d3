public import LightningCoding
public import LightningCrypto

/// A handled notification: its content, the answer, the timing and the delivery of the reply.
public struct EventRecord: Hashable, Sendable {
    /// When it arrived.
    public let receivedAt: UnixTime
    /// The recipient's account.
    public let account: AccountID
    /// Its type: `lnurlpay_invoice`.
    public let type: String
    /// The kind of envelope: `template`, `event`, `push`, `encrypted`.
    public let envelope: String
    /// Its content: JSON, truncated to `maximumText` bytes.
    public let payload: String
    /// The outcome.
    public let outcome: Outcome
    /// The answer: JSON without any preimage, truncated to `maximumText` bytes; nil when there was none.
    public let answer: String?
    /// The payment concerned, if any.
    public let paymentHash: PaymentHash?
    /// How long each step took, in order.
    public var steps: [Step]
    /// The delivery of the reply; nil when there was none to post.
    public var delivery: Delivery?

    /// The longest stored text of a notification and of its answer, in bytes.
    public static let maximumText = 4096

    /// The outcome of a notification.
    public enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// It was answered.
        case answered
        /// It was answered with an error or not at all, because it breaks a rule or names something that does not
        /// exist.
        case refused
        /// It was handled; no answer is expected.
        case done
        /// It could not be answered because of an internal failure.
        case failed
        /// The deadline passed.
        case outOfTime = "out-of-time"
        /// No handler exists for it.
        case ignored
    }

    /// A timed part of the work.
    public struct Step: Hashable, Sendable {
        /// Its name: `answer`, `delivery`.
        public let name: String
        /// How long it took.
        public let milliseconds: UInt64

        /// Creates a step.
        public init(_ name: String, milliseconds: UInt64) {
            self.name = name
            self.milliseconds = milliseconds
        }
    }

    /// The delivery of a reply.
    public enum Delivery: String, CaseIterable, Hashable, Sendable {
        /// It was accepted.
        case taken
        /// It was rejected for good, or could not be delivered in time.
        case failed
        /// Unknown: after an attempt without a response, the service said that it was already answered.
        case uncertain
        /// The URL in the notification is not allowed.
        case forbidden
        /// It is in the response to the webhook itself.
        case inResponse = "in-response"
    }

    /// Creates a record, truncating long texts. U+0000, which not every ledger can store, becomes U+FFFD.
    public init(
        receivedAt: UnixTime,
        account: AccountID,
        type: String,
        envelope: String,
        payload: String,
        outcome: Outcome,
        answer: String? = nil,
        paymentHash: PaymentHash? = nil,
        steps: [Step] = [],
        delivery: Delivery? = nil
    ) {
        self.receivedAt = receivedAt
        self.account = account
        self.type = type.replacingZero
        self.envelope = envelope
        self.payload = Self.cut(payload.replacingZero)
        self.outcome = outcome
        self.answer = (answer?.replacingZero).map(Self.cut)
        self.paymentHash = paymentHash
        self.steps = steps
        self.delivery = delivery
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumText else { return text }
        // A truncated character is dropped.
        var bytes = text.utf8.prefix(maximumText)
        while !bytes.isEmpty {
            if let start = String(bytes) { return start }
            bytes = bytes.dropLast()
        }
        return ""
    }
}
