package import LightningCoding
package import LightningCrypto

/// Work outside the ledger that follows from something recorded in it.
package struct OutboxWork: Hashable, Sendable {
    /// Identifies it here and at the receiver, in every attempt.
    package let id: OutboxID
    /// What is to be done.
    package let kind: OutboxKind
    /// The account concerned; nil when it concerns none, such as a push message.
    package let account: AccountID?
    /// The data, in the format of its kind.
    package let payload: [UInt8]
    /// When it was added.
    package let createdAt: UnixTime
    /// When it stops being useful; nil for never.
    package let deadline: UnixTime?
    /// Whether it is retried automatically.
    package let state: State
    /// How many attempts were started since it was added or last retried by hand.
    package let attempts: UInt64
    /// Who carries it out, by a claim or since it was added; nil when nobody does.
    package let holder: String?
    /// Why the last attempt failed: a sentence for the operator, without secrets.
    package let failure: String?

    /// Whether work is retried automatically.
    package enum State: Hashable, Sendable {
        /// Due at that moment; for claimed work, when the claim expires.
        case pending(dueAt: UnixTime)
        /// Given up at that moment.
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
    package var isParked: Bool { if case .parked = state { true } else { false } }
}

/// A kind of work: lower-case letters and `-`.
package struct OutboxKind: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The word.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An accepted notification to be answered; the payload is its body as received.
    package static let notification = OutboxKind(rawValue: "notification")
    /// A payment to be reported to an operator; the payload is ``SettlementNotice``.
    package static let settlementWebhook = OutboxKind(rawValue: "settlement-webhook")

    /// A node's invoice to be cancelled, since it is not what was ordered; the payload is ``InvoiceMismatch``.
    package static let invoiceMismatch = OutboxKind(rawValue: "invoice-mismatch")

    /// A push message to be sent; the payload names the device and holds the notification as received.
    package static let push = OutboxKind(rawValue: "push")

    /// A registered device to be told of a message; the payload is ``DeviceNotice``.
    package static let deviceMessage = OutboxKind(rawValue: "device-message")
    /// A registered device to be woken, and its owner to be alerted unless the device handles it in time.
    package static let deviceWake = OutboxKind(rawValue: "device-wake")
    /// A payment of which its account's owner is to be told; the payload is ``SettlementNotice``.
    package static let ownerPayment = OutboxKind(rawValue: "owner-payment")
    /// A registration that was removed, of which its owner is to be told unless it is made again.
    package static let registrationRemoval = OutboxKind(rawValue: "registration-removal")

    /// Every kind of work.
    package static let all = [
        notification, settlementWebhook, invoiceMismatch, push, deviceMessage, deviceWake, ownerPayment,
        registrationRemoval,
    ]

    /// By the bytes of the names.
    package static func < (one: OutboxKind, other: OutboxKind) -> Bool {
        one.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
    }

    /// The word.
    package var description: String { rawValue }
}

/// The payload of work that cancels an invoice which a node made otherwise than ordered:
/// `{"backend":"…","paymentHash":"…","cause":"…"}`. No payer has seen the invoice.
package struct InvoiceMismatch: Hashable, Sendable {
    /// The node.
    package let backend: BackendName
    /// The payment hash inside the invoice; the one that the node reported when it cannot be read.
    package let paymentHash: PaymentHash
    /// How the invoice differs from the order: a sentence for the operator.
    package let cause: String

    package init(backend: BackendName, paymentHash: PaymentHash, cause: String) {
        self.backend = backend
        self.paymentHash = paymentHash
        self.cause = cause
    }

    /// Reads a payload; nil when it is invalid.
    package init?(payload: [UInt8]) {
        guard let object = try? JSONValue(parsing: payload).object, let name = object["backend"]?.string,
            let backend = BackendName(name), let hash = object["paymentHash"]?.string,
            let paymentHash = try? PaymentHash(hexadecimal: hash), let cause = object["cause"]?.string
        else { return nil }
        self.init(backend: backend, paymentHash: paymentHash, cause: cause)
    }

    package var payload: [UInt8] {
        JSONValue.object([
            "backend": .string(backend.description), "paymentHash": .string(paymentHash.hexadecimal),
            "cause": .string(cause),
        ]).serializedBytes()
    }

    /// How many of a node may wait to be cancelled. More are not recorded, so that a node which is always wrong does not
    /// fill the ledger.
    package static let maximumPending = 100
}

/// The payload of work that reports a payment: `{"paymentHash":"…"}`. The rest is in the invoice, which is kept for
/// good once settled.
package struct SettlementNotice: Hashable, Sendable {
    package let paymentHash: PaymentHash

    package init(paymentHash: PaymentHash) {
        self.paymentHash = paymentHash
    }

    /// Reads a payload; nil when it is invalid.
    package init?(payload: [UInt8]) {
        guard let hash = try? JSONValue(parsing: payload).object?["paymentHash"]?.string,
            let paymentHash = try? PaymentHash(hexadecimal: hash)
        else { return nil }
        self.paymentHash = paymentHash
    }

    package var payload: [UInt8] {
        JSONValue.object(["paymentHash": .string(paymentHash.hexadecimal)]).serializedBytes()
    }
}
