import Bolt11
public import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension Responder {
    /// The second answer of LNURL-pay: an invoice for that amount, durable before this returns.
    ///
    /// - Parameters:
    ///   - recipient: who is paid.
    ///   - version: the version of the account that the payer saw; nil means the current one.
    ///   - query: what the payer sent.
    public func payInvoice(
        for recipient: LocalPart,
        version: UInt64?,
        query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice {
        let account = try await account(named: recipient.name)
        let metadata = try await metadata(of: account, version: version, taggedFor: recipient)
        try checkAmount(query.amount, against: try await limits(of: account), try await capabilities(of: account))
        try checkComment(query.comment, of: account)
        let challenge = try await checkPayerData(query.payerData, of: account)

        let (issued, text, order) = try await issue(
            query,
            committingTo: metadata,
            words: InvoiceOrigin.PayerWords(
                metadataVersion: version ?? account.version,
                tag: recipient.tag,
                comment: query.comment,
                payerData: account.settings.payerData.requirements.isEmpty ? nil : query.payerData
            ),
            for: account,
            using: challenge.map(InvoiceClaim.challenge)
        )
        return PayInvoice(
            pr: text,
            verify: PayPaths.verify(issued.paymentHash, of: account.name, at: settings.publicURL),
            disposable: false,
            successAction: try successAction(of: account, order)
        )
    }

    /// Has the node make an invoice, and writes it down while the node does.
    func issue(
        _ query: CallbackQuery,
        committingTo metadata: String,
        words: InvoiceOrigin.PayerWords,
        for account: Account,
        using claim: InvoiceClaim?
    ) async throws(Refusal) -> (IssuedInvoice, text: String, InvoiceOrder) {
        let order = try order(query, metadata: metadata, for: account)
        let place = try await openInvoices.place(for: account.name, in: ledger, at: clock())
        defer { place.leave() }
        let backend = try backend(of: account)
        let ordered = try await invoice(order, from: backend, named: account.settings.backend)
        let answer = ordered.contents
        let issued = IssuedInvoice(
            paymentHash: answer.paymentHash,
            account: account.name,
            backend: account.settings.backend,
            label: order.label,
            bolt11: answer.text,
            amount: query.amount,
            createdAt: clock(),
            expiresAt: answer.expiresAt,
            origin: .lnurl(words)
        )
        do {
            try await StepLog.measure("ledger") { () async throws(LedgerFault) in
                try await ledger.record(issued, using: claim)
            }
            place.take()
        } catch {
            try? await ordered.kept()
            await letGo(ordered.begun.invoice, at: backend)
            throw error == .challengeUsed ? .challenge(.used) : .unavailable(.ledger(error))
        }
        try await ordered.kept()
        return (issued, answer.text, order)
    }

    private func metadata(
        of account: Account,
        version: UInt64?,
        taggedFor recipient: LocalPart
    ) async throws(Refusal) -> String {
        let stored: String?
        do {
            stored = try await accounts.metadata(of: account, version: version ?? account.version)
        } catch {
            throw .unavailable(.ledger(error))
        }
        guard let stored else { throw .unknownVersion }
        return metadata(stored, taggedFor: recipient)
    }

    func checkAmount(
        _ amount: Millisatoshi,
        against limits: ReceiveLimits,
        _ capabilities: BackendCapabilities
    ) throws(Refusal) {
        guard limits.contains(amount) else { throw .amountOutOfLimits(limits) }
        if capabilities.precision == .wholeSatoshi, !amount.isWholeSatoshi { throw .amountNotWholeSatoshis }
    }

    /// What the account's node can do.
    func capabilities(of account: Account) async throws(Refusal) -> BackendCapabilities {
        let backend = try backend(of: account)
        do {
            return try await backend.capabilities
        } catch {
            throw .unavailable(.backend(account.settings.backend, error))
        }
    }

    func checkComment(_ comment: String?, of account: Account) throws(Refusal) {
        let allowed = account.settings.commentAllowed
        guard Comment.fits(comment ?? "", allowed: allowed) else { throw .commentTooLong(allowed: allowed) }
    }

    /// - Returns: the challenge to use up with the invoice, when the payer answered one.
    private func checkPayerData(_ text: String?, of account: Account) async throws(Refusal) -> UsedChallenge? {
        let spec = account.settings.payerData
        guard !spec.requirements.isEmpty else { return nil }
        let data: PayerData
        do {
            data = try PayerData(parsing: text, against: spec)
        } catch {
            throw .payerData(error)
        }
        guard let k1 = data.auth?.k1 else { return nil }
        return try await checkChallenge(k1, of: account)
    }

    private func checkChallenge(_ k1: Challenge, of account: Account) async throws(Refusal) -> UsedChallenge {
        let challenge: UsedChallenge
        do {
            let expiresAt = try k1.check(for: account.name, at: clock(), key: settings.challengeKey)
            challenge = UsedChallenge(bytes: k1.bytes, expiresAt: expiresAt)
        } catch {
            throw .challenge(error)
        }
        let isUsed: Bool
        do {
            // Asked before the node is, so that a replay costs no invoice; that it is used up once, `record` decides.
            isUsed = try await ledger.isUsed(challenge)
        } catch {
            throw .unavailable(.ledger(error))
        }
        guard !isUsed else { throw .challenge(.used) }
        return challenge
    }
}
