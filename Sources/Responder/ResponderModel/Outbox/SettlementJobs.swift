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
