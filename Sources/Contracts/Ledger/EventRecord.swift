public import LNURL
public import LightningCoding
public import LightningCrypto

/// A notification that was handled: what came, what was answered, how long that took, what became of the reply.
public struct EventRecord: Hashable, Sendable {
    /// When it came.
    public let receivedAt: UnixTime
    /// For whom.
    public let account: AddressName
    /// What it was about: `lnurlpay_invoice`.
    public let type: String
    /// In what it travelled: `template`, `event`, `push`, `encrypted`.
    public let envelope: String
    /// What it said: JSON, cut off after `maximumText` bytes.
    public let payload: String
    /// What became of it.
    public let outcome: Outcome
    /// What was answered: JSON without any preimage, cut off after `maximumText` bytes; nil when nothing was.
    public let answer: String?
    /// The payment that it concerns, when it does.
    public let paymentHash: PaymentHash?
    /// How long each step took, in order.
    public var steps: [Step]
    /// What became of the reply; nil when there was none to post.
    public var delivery: Delivery?

    /// The longest text that is kept of what came and of what was answered, in bytes.
    public static let maximumText = 4096

    /// What became of a notification.
    public enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// It was answered.
        case answered
        /// It was answered with an error, or with nothing, because it breaks a rule or names what is not there.
        case refused
        /// What there was to do has been done; nobody waits for an answer.
        case done
        /// It could not be answered, because something failed inside.
        case failed
        /// The time was up.
        case outOfTime = "out-of-time"
        /// Nothing here knows what to do with it.
        case ignored
    }

    /// A part of the work.
    public struct Step: Hashable, Sendable {
        /// What was done: `answer`, `delivery`.
        public let name: String
        /// How long it took.
        public let milliseconds: UInt64

        /// Creates a step.
        public init(_ name: String, milliseconds: UInt64) {
            self.name = name
            self.milliseconds = milliseconds
        }
    }

    /// What became of a reply.
    public enum Delivery: String, CaseIterable, Hashable, Sendable {
        /// It was taken.
        case taken
        /// It was refused for good, or could not be brought in time.
        case failed
        /// Nobody knows: after an attempt without a response the service said that it is answered already.
        case uncertain
        /// It may not be posted to where the notification says.
        case forbidden
        /// It stands in the response to the webhook itself.
        case inResponse = "in-response"
    }

    /// Creates a record; long texts are cut off.
    public init(
        receivedAt: UnixTime,
        account: AddressName,
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
        self.type = type
        self.envelope = envelope
        self.payload = Self.cut(payload)
        self.outcome = outcome
        self.answer = answer.map(Self.cut)
        self.paymentHash = paymentHash
        self.steps = steps
        self.delivery = delivery
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumText else { return text }
        // A character that the cut goes through is left out.
        var bytes = text.utf8.prefix(maximumText)
        while !bytes.isEmpty {
            if let start = String(bytes) { return start }
            bytes = bytes.dropLast()
        }
        return ""
    }
}
