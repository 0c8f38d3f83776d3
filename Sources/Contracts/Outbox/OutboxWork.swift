public import LNURL
public import LightningCoding

/// Something that is to be done outside because of something that was written down here.
public struct OutboxWork: Hashable, Sendable {
    /// What identifies it here and at the receiver, however often it is tried.
    public let id: OutboxID
    /// What is to be done.
    public let kind: OutboxKind
    /// Whom it concerns.
    public let account: AddressName
    /// What it is about, as its kind has it.
    public let payload: [UInt8]
    /// When it was written down.
    public let createdAt: UnixTime
    /// When it is of no use any more; nil when it always is.
    public let deadline: UnixTime?
    /// Whether it is tried by itself.
    public let state: State
    /// How many attempts were begun, since it was last made due by hand.
    public let attempts: UInt64
    /// Why the last attempt failed, as a sentence for the operator without secrets.
    public let failure: String?

    /// Whether work is tried by itself.
    public enum State: Hashable, Sendable {
        /// It is due at that moment; while somebody has it in hand, that is when the claim runs out.
        case pending(dueAt: UnixTime)
        /// It was given up at that moment.
        case parked(at: UnixTime)
    }

    /// Creates work.
    public init(
        id: OutboxID,
        kind: OutboxKind,
        account: AddressName,
        payload: [UInt8],
        createdAt: UnixTime,
        deadline: UnixTime? = nil,
        state: State,
        attempts: UInt64 = 0,
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
        self.failure = failure
    }

    /// Whether it was given up.
    public var isParked: Bool { if case .parked = state { true } else { false } }
}

/// A kind of work: lower-case letters and `-`.
public struct OutboxKind: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The word.
    public let rawValue: String

    /// A kind of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A notification that was accepted is to be answered; the payload is its body as it came.
    public static let notification = OutboxKind(rawValue: "notification")
    /// An operator is to be told of a payment; the payload is ``SettlementNotice``.
    public static let settlementWebhook = OutboxKind(rawValue: "settlement-webhook")

    /// In alphabetical order of the bytes.
    public static func < (one: OutboxKind, other: OutboxKind) -> Bool {
        one.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
    }

    /// The word.
    public var description: String { rawValue }
}
