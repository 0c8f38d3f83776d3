import Bolt11
package import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

extension Responder {
    /// The second response of LNURL-pay: an invoice for that amount, durable before this returns.
    ///
    /// The version shown to the payer decides: its text, and the payer data that it requested.
    ///
    /// - Parameters:
    ///   - recipient: the recipient.
    ///   - version: the version of the account shown to the payer; nil means the current one.
    ///   - query: what the payer sent.
    package func payInvoice(
        for recipient: Recipient,
        version: UInt64?,
        query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice {
        let account = try await account(named: recipient.account)
        let number = version ?? account.version
        guard let shown = try await Refusal.asking(await accounts.version(number, of: account)) else {
            throw .unknownVersion
        }
        let payee = try await payee(account)
        try payee.check(query.amount)
        try payee.check(comment: query.comment)
        // Only if it was requested: a stray parameter must not change what strict wallets compare.
        let payerData = shown.payerData.requirements.isEmpty ? nil : query.payerData
        let challenge = try await challenge(in: query.payerData, against: shown.payerData, of: account)

        let commitsToData = settings.payerDataCommitment == .metadataAndPayerData
        let order = try order(
            query.amount,
            .hashed(shown.metadata.tagged(for: recipient) + (commitsToData ? payerData ?? "" : "")),
            expiry: account.settings.invoiceExpiry,
            withPreimage: account.settings.successAction.needsPreimage)
        let words = InvoiceOrigin.PayerWords(
            metadataVersion: shown.number, tag: recipient.tag, comment: query.comment, payerData: payerData)
        return try await issuer.issue(order, for: payee, claiming: challenge.map(InvoiceClaim.challenge)) {
            invoice, createdAt throws(Refusal) in
            let answer = PayInvoice(
                pr: invoice.text,
                verify: PayPaths.verify(
                    invoice.paymentHash, of: account.domain.shownName(of: account.name), createdAt: createdAt,
                    at: account.domain.base(of: account.name)),
                disposable: false,
                successAction: try successAction(of: account, order)
            )
            return SealedInvoice(document: answer, origin: .lnurl(words))
        }
    }

    /// The order to the node. The label is the time in seconds, 8 digits of hex, so that indexes of labels grow at
    /// their end, and then 96 random bits.
    func order(
        _ amount: Millisatoshi, _ description: InvoiceOrder.Description, expiry: UInt64, withPreimage: Bool = false
    ) throws(Refusal) -> InvoiceOrder {
        var label = ByteWriter(capacity: 16)
        label.writeUInt32(UInt32(truncatingIfNeeded: clock().seconds))
        do {
            label.write(try random(12))
            return InvoiceOrder(
                amount: amount, description: description, expiry: expiry, label: Hexadecimal.encode(label.bytes),
                preimage: withPreimage ? try Preimage(random: random) : nil)
        } catch {
            throw .unavailable(.randomness)
        }
    }

    /// The action that accompanies the invoice of an order.
    private func successAction(of account: Account, _ order: InvoiceOrder) throws(Refusal) -> SuccessAction? {
        do {
            switch (account.settings.successAction, order.preimage) {
            case (.none, _), (.secret, nil): return nil
            case (.message(let text), _): return .message(text)
            case (.url(let link), _): return .url(link)
            case (.secret(let secret, let description), let preimage?):
                return .aes(
                    try EncryptedAction.seal(
                        secret,
                        description: description,
                        preimage: preimage,
                        initializationVector: try random(EncryptedAction.initializationVectorCount)
                    )
                )
            }
        } catch let fault as SuccessActionFault {
            throw .unavailable(.successAction(fault))
        } catch {
            throw .unavailable(.randomness)
        }
    }

    /// - Returns: the challenge to consume with the invoice, when the payer answered one.
    private func challenge(
        in payerData: String?, against spec: PayerDataSpec, of account: Account
    ) async throws(Refusal) -> UsedChallenge? {
        guard !spec.requirements.isEmpty else { return nil }
        let data = try rethrowing(PayerData(parsing: payerData, against: spec), as: Refusal.payerData)
        guard let k1 = data.auth?.k1 else { return nil }
        let challenge: UsedChallenge
        do {
            let expiresAt = try k1.check(for: account.id.text, at: clock(), key: settings.challengeKey)
            challenge = UsedChallenge(bytes: k1.bytes, expiresAt: expiresAt)
        } catch {
            throw .challenge(error)
        }
        // Checked before the node is called, so that a replay costs no invoice; `record` enforces single use.
        guard try await !Refusal.asking(await ledger.isUsed(challenge)) else { throw .challenge(.used) }
        return challenge
    }
}
