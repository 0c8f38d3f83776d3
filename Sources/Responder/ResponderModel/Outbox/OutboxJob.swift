package import LightningCoding
package import LightningCrypto

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

    /// Reads it; nil when it cannot be read.
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

/// An invoice that a node made otherwise than ordered, to be cancelled. No payer has seen it.
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

    /// How many of a node may wait to be cancelled. More are not recorded, so that a node which is always wrong does not
    /// fill the ledger.
    package static let maximumPending = 100
}
