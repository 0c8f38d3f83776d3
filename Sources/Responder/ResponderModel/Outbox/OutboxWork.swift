package import LightningCoding

package struct OutboxWork: Hashable, Sendable {
    /// Identifies it here and at the receiver, in every attempt.
    package let id: OutboxID
    package let kind: OutboxKind
    /// The account concerned; nil when it concerns none, such as a push message.
    package let account: AccountID?
    /// The data, in the format of its kind.
    package let payload: [UInt8]
    package let createdAt: UnixTime
    /// When it stops being useful; nil for never.
    package let deadline: UnixTime?
    package let state: State
    /// How many attempts were started since it was added or last retried by hand.
    package let attempts: UInt64
    /// Who carries it out, by a claim or since it was added; nil when nobody does.
    package let holder: String?
    /// Why the last attempt failed: a sentence for the operator, without secrets.
    package let failure: String?
    /// What it is about; nil when nobody counts or looks for that.
    package let subject: OutboxSubject?

    package enum State: Hashable, Sendable {
        /// Due at that moment; for claimed work, when the claim expires.
        case pending(dueAt: UnixTime)
        case parked(at: UnixTime)
    }

    package init(
        id: OutboxID,
        kind: OutboxKind,
        account: AccountID?,
        payload: [UInt8],
        createdAt: UnixTime,
        deadline: UnixTime? = nil,
        state: State,
        attempts: UInt64 = 0,
        holder: String? = nil,
        failure: String? = nil,
        subject: OutboxSubject? = nil
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
        self.subject = subject
    }

    package var isParked: Bool { if case .parked = state { true } else { false } }
}

/// What work is about: a node, a device, a push service. A path, so that what is above something can be counted, too.
package struct OutboxSubject: Hashable, Sendable {
    /// Each part with a `/` behind it, so that what is above something is the beginning of it.
    package let text: String

    package init(_ parts: String...) {
        text = parts.map { $0 + "/" }.joined()
    }

    package init(text: String) {
        self.text = text
    }

    /// Its first parts: what is above it.
    package func above(_ count: Int) -> OutboxSubject {
        OutboxSubject(text: text.split(separator: "/").prefix(count).map { $0 + "/" }.joined())
    }

    /// The first text behind all that are below it.
    package var end: String { text.dropLast() + "0" }
}

/// A kind of work: lower-case letters and `-`.
package struct OutboxKind: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An accepted notification to be answered.
    package static let notification = OutboxKind(rawValue: "notification")
    /// A payment to be reported to an operator: ``SettlementWebhookJob``.
    package static let settlementWebhook = OutboxKind(rawValue: "settlement-webhook")
    /// A node's invoice to be cancelled, since it is not what was ordered: ``InvoiceMismatch``.
    package static let invoiceMismatch = OutboxKind(rawValue: "invoice-mismatch")
    /// A push message to be sent.
    package static let push = OutboxKind(rawValue: "push")
    /// A registered device to be told of a message: ``DeviceMessageJob``.
    package static let deviceMessage = OutboxKind(rawValue: "device-message")
    /// A registered device to be woken, and its owner to be alerted unless the device handles it in time.
    package static let deviceWake = OutboxKind(rawValue: "device-wake")
    /// A payment of which its account's owner is to be told: ``OwnerPaymentJob``.
    package static let ownerPayment = OutboxKind(rawValue: "owner-payment")
    /// A registration that was changed or removed, of which its owner is to be told: ``RegistrationChange``.
    package static let registrationChange = OutboxKind(rawValue: "registration-change")

    package static let all = [
        notification, settlementWebhook, invoiceMismatch, push, deviceMessage, deviceWake, ownerPayment,
        registrationChange,
    ]

    /// By the bytes of the names.
    package static func < (one: OutboxKind, other: OutboxKind) -> Bool {
        one.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
    }

    package var description: String { rawValue }
}
