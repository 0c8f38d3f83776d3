package import LightningCoding
package import LightningCrypto

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

    /// When it is due, or its claim expires; nil when it is parked.
    package var dueAt: UnixTime? { if case .pending(let dueAt) = state { dueAt } else { nil } }

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

    package static let notification = OutboxKind(rawValue: "notification")
    /// A payment to be reported to an operator: ``SettlementWebhookJob``.
    package static let settlementWebhook = OutboxKind(rawValue: "settlement-webhook")
    /// A node's invoice to be canceled, since it is not what was ordered: ``InvoiceMismatch``.
    package static let invoiceMismatch = OutboxKind(rawValue: "invoice-mismatch")
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

/// The id of work in the outbox: 1 to 128 characters of `a-z 0-9 - _`.
package struct OutboxID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard text.isWord(upTo: Self.maximumCount, or: "-_") else { return nil }
        self.text = text
    }

    package static let maximumCount = 128

    package init(unchecked text: String) {
        self.text = text
    }

    package var description: String { text }
}

/// What is to be done, of one kind: its id, and how the ledger keeps it. An `OutboxHandler` carries it out.
package protocol OutboxJob: Sendable {
    static var kind: OutboxKind { get }
    /// Identifies it here and at the receiver. The same fact makes the same id.
    var id: OutboxID { get }
    /// The account concerned, which takes turns with others; nil when it concerns none.
    var account: AccountID? { get }
    /// What it is about; nil when nobody counts or looks for that.
    var subject: OutboxSubject? { get }
    /// As it is written down.
    var payload: [UInt8] { get }

    init?(_ work: OutboxWork)
}

extension OutboxJob {
    package var account: AccountID? { nil }
    package var subject: OutboxSubject? { nil }
}

extension OutboxWork {
    /// A job that is due at once, or later, until a deadline.
    package init(
        _ job: some OutboxJob, at now: UnixTime, dueAt: UnixTime? = nil, deadline: UnixTime? = nil
    ) {
        self.init(
            id: job.id, kind: type(of: job).kind, account: job.account, payload: job.payload, createdAt: now,
            deadline: deadline, state: .pending(dueAt: dueAt ?? now), subject: job.subject)
    }

    /// The payload, when it is JSON.
    package var payloadJSON: JSONValue? { try? JSONValue(parsing: payload) }
}

/// An invoice that a node made otherwise than ordered, to be canceled. No payer has seen it.
package struct InvoiceMismatch: OutboxJob, Hashable {
    package let backend: BackendName
    /// The payment hash inside the invoice; the one that the node reported when it cannot be read.
    package let paymentHash: PaymentHash
    /// How the invoice differs from the order: a sentence for the operator.
    package let cause: String
    /// Whose invoice was ordered.
    package let account: AccountID?

    package init(backend: BackendName, paymentHash: PaymentHash, cause: String, account: AccountID?) {
        self.backend = backend
        self.paymentHash = paymentHash
        self.cause = cause
        self.account = account
    }

    package init?(_ work: OutboxWork) {
        guard let json = work.payloadJSON, let backend = json["backend"]?.string.flatMap({ BackendName($0) }),
            let hash = json["paymentHash"]?.string.flatMap({ try? PaymentHash(hexadecimal: $0) }),
            let cause = json["cause"]?.string
        else { return nil }
        self.init(backend: backend, paymentHash: hash, cause: cause, account: work.account)
    }

    package static let kind = OutboxKind.invoiceMismatch

    /// The same when the node makes that invoice again. Half of the hash is enough, and fits.
    package var id: OutboxID { OutboxID(unchecked: "mismatch-\(backend)-\(paymentHash.hexadecimal.prefix(32))") }

    package var subject: OutboxSubject? { OutboxSubject("\(backend)") }

    /// `{"backend":"…","paymentHash":"…","cause":"…"}`
    package var payload: [UInt8] {
        JSONValue.object([
            "backend": .string(backend.description), "paymentHash": .string(paymentHash.hexadecimal),
            "cause": .string(cause),
        ]).serializedBytes()
    }

    /// How many of a node may wait to be canceled. More are not recorded, so that a node which is always wrong does not
    /// fill the ledger.
    package static let maximumPending = 100
}

/// Who is told of the payments to an account.
package struct SettlementListeners: Hashable, Sendable {
    /// A webhook, that of the account or of all.
    package var webhook: Bool
    /// The devices of the account's owner.
    package var owner: Bool
}

extension SettlementListeners {
    /// Of settings that this program cannot read, such as those of a newer one, everybody is told: the job reads them again,
    /// and the operator sees it fail.
    ///
    /// - Parameters:
    ///   - settings: of the account, as stored; nil when it was removed.
    ///   - tellingAll: whether the payments of all accounts are reported, besides those whose settings ask for it.
    package init(ofAccount settings: String?, tellingAll: Bool) {
        self.init(webhook: tellingAll, owner: false)
        guard let settings else { return }
        let known = try? AccountSettings(json: JSONValue(parsing: settings), defaultBackend: .embedded)
        webhook = webhook || known.map { $0.settlementWebhook != nil } ?? true
        owner = known.map { $0.owner != nil } ?? true
    }
}

/// All that follows from a settled payment. Each ledger adds these jobs in the transaction that records the settlement.
package func jobs(following invoice: IssuedInvoice, for listeners: SettlementListeners) -> [any OutboxJob] {
    let (payment, payee) = (invoice.paymentHash, invoice.account)
    var jobs: [any OutboxJob] = []
    if listeners.webhook { jobs.append(SettlementWebhookJob(payment, to: payee)) }
    if listeners.owner { jobs.append(OwnerPaymentJob(payment, to: payee)) }
    return jobs
}

/// A job that is about a payment. All else is in the invoice, which is kept for good once settled.
package protocol PaymentJob: OutboxJob, Hashable {
    var paymentHash: PaymentHash { get }
    var payee: AccountID { get }
    init(_ paymentHash: PaymentHash, to payee: AccountID)
}

extension PaymentJob {
    package init?(_ work: OutboxWork) {
        guard let payee = work.account,
            let hash = work.payloadJSON?["paymentHash"]?.string.flatMap({ try? PaymentHash(hexadecimal: $0) })
        else { return nil }
        self.init(hash, to: payee)
    }

    package var account: AccountID? { payee }

    /// `{"paymentHash":"…"}`
    package var payload: [UInt8] {
        JSONValue.object(["paymentHash": .string(paymentHash.hexadecimal)]).serializedBytes()
    }
}

package struct SettlementWebhookJob: PaymentJob {
    package let paymentHash: PaymentHash
    package let payee: AccountID

    package init(_ paymentHash: PaymentHash, to payee: AccountID) {
        self.paymentHash = paymentHash
        self.payee = payee
    }

    package static let kind = OutboxKind.settlementWebhook
    package var id: OutboxID { OutboxID(unchecked: "payment-\(paymentHash)") }
}

/// A payment of which its account's owner is to be told.
package struct OwnerPaymentJob: PaymentJob {
    package let paymentHash: PaymentHash
    package let payee: AccountID

    package init(_ paymentHash: PaymentHash, to payee: AccountID) {
        self.paymentHash = paymentHash
        self.payee = payee
    }

    package static let kind = OutboxKind.ownerPayment
    package var id: OutboxID { OutboxID(unchecked: "owner-\(paymentHash)") }
}
