import LightningCoding
package import LightningCrypto

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
    let payment = AccountPayment(invoice.paymentHash, of: invoice.account)
    var jobs: [any OutboxJob] = []
    if listeners.webhook { jobs.append(SettlementWebhookJob(payment)) }
    if listeners.owner { jobs.append(OwnerPaymentJob(payment)) }
    return jobs
}

/// A job that is about a payment. All else is in the invoice, which is kept for good once settled.
package protocol PaymentJob: OutboxJob, Hashable {
    var payment: AccountPayment { get }
    init(_ payment: AccountPayment)
}

extension PaymentJob {
    package init?(_ work: OutboxWork) {
        guard let payment = AccountPayment(work) else { return nil }
        self.init(payment)
    }

    package var account: AccountID? { payment.account }
    package var payload: [UInt8] { payment.payload }
}

/// A payment to be reported to an operator.
package struct SettlementWebhookJob: PaymentJob {
    package let payment: AccountPayment

    package init(_ payment: AccountPayment) { self.payment = payment }

    package static let kind = OutboxKind.settlementWebhook
    package var id: OutboxID { OutboxID(unchecked: "payment-\(payment.hash)") }
}

/// A payment of which its account's owner is to be told.
package struct OwnerPaymentJob: PaymentJob {
    package let payment: AccountPayment

    package init(_ payment: AccountPayment) { self.payment = payment }

    package static let kind = OutboxKind.ownerPayment
    package var id: OutboxID { OutboxID(unchecked: "owner-\(payment.hash)") }
}

/// Which payment, and of which account.
package struct AccountPayment: Hashable, Sendable {
    package let hash: PaymentHash
    package let account: AccountID

    package init(_ hash: PaymentHash, of account: AccountID) {
        self.hash = hash
        self.account = account
    }

    fileprivate init?(_ work: OutboxWork) {
        guard let account = work.account,
            let hash = work.payloadJSON?["paymentHash"]?.string.flatMap({ try? PaymentHash(hexadecimal: $0) })
        else { return nil }
        self.init(hash, of: account)
    }

    /// `{"paymentHash":"…"}`
    fileprivate var payload: [UInt8] {
        JSONValue.object(["paymentHash": .string(hash.hexadecimal)]).serializedBytes()
    }
}
