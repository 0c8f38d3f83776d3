public import LightningCoding

/// Work outside the ledger that follows from something recorded in it.
public struct OutboxWork: Hashable, Sendable {
    /// Identifies it here and at the receiver, in every attempt.
    public let id: OutboxID
    /// What is to be done.
    public let kind: OutboxKind
    /// The account concerned; nil when it concerns none, such as a push message.
    public let account: AccountID?
    /// The data, in the format of its kind.
    public let payload: [UInt8]
    /// When it was added.
    public let createdAt: UnixTime
    /// When it stops being useful; nil for never.
    public let deadline: UnixTime?
    /// Whether it is retried automatically.
    public let state: State
    /// How many attempts were started since it was added or last retried by hand.
    public let attempts: UInt64
    /// Who carries it out, by a claim or since it was added; nil when nobody does.
    public let holder: String?
    /// Why the last attempt failed: a sentence for the operator, without secrets.
    public let failure: String?

    /// Whether work is retried automatically.
    public enum State: Hashable, Sendable {
        /// Due at that moment; for claimed work, when the claim expires.
        case pending(dueAt: UnixTime)
        /// Given up at that moment.
        case parked(at: UnixTime)
    }

    /// Creates work.
    public init(
        id: OutboxID,
        kind: OutboxKind,
        account: AccountID?,
        payload: [UInt8],
        createdAt: UnixTime,
        deadline: UnixTime? = nil,
        state: State,
        attempts: UInt64 = 0,
        holder: String? = nil,
        failure: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.account = account
        self.payload = payload
        self.createdAt = createdAt
        self.deadline = deadline
        self.state = state
        self.attempts = attempts
        self.holder = holder
        self.failure = failure
    }

    /// Whether it was given up.
    public var isParked: Bool { if case .parked = state { true } else { false } }
}

/// A kind of work: lower-case letters and `-`.
public struct OutboxKind: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The word.
    public let rawValue: String

    /// Creates a kind.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An accepted notification to be answered; the payload is its body as received.
    public static let notification = OutboxKind(rawValue: "notification")
    /// A payment to be reported to an operator; the payload is ``SettlementNotice``.
    public static let settlementWebhook = OutboxKind(rawValue: "settlement-webhook")

    /// A node's invoice to be cancelled, since it is not what was ordered; the payload is ``InvoiceMismatch``.
    public static let invoiceMismatch = OutboxKind(rawValue: "invoice-mismatch")

    /// A push message to be sent; the payload names the device and holds the notification as received.
    public static let push = OutboxKind(rawValue: "push")

    /// A registered device to be told of a message; the payload is ``DeviceNotice``.
    public static let deviceMessage = OutboxKind(rawValue: "device-message")
    /// A registered device to be woken, and its owner to be alerted unless the device handles it in time.
    public static let deviceWake = OutboxKind(rawValue: "device-wake")
    /// A payment of which its account's owner is to be told; the payload is ``SettlementNotice``.
    public static let ownerPayment = OutboxKind(rawValue: "owner-payment")

    /// Every kind of work.
    public static let all = [
        notification, settlementWebhook, invoiceMismatch, push, deviceMessage, deviceWake, ownerPayment,
    ]

    /// By the bytes of the names.
    public static func < (one: OutboxKind, other: OutboxKind) -> Bool {
        one.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
    }

    /// The word.
    public var description: String { rawValue }
}
