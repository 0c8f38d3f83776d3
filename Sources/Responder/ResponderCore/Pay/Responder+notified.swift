import Bolt11
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension Responder {
    /// The text that info and invoice use when the request names no version.
    ///
    /// A changed text takes effect when the last cached copy of the old one has expired. Until then both responses use
    /// the old text, and the first response is cacheable only until then.
    ///
    /// - Parameter lifetime: seconds for which the first response may be cached.
    package func standingMetadata(
        of account: Account, cachedFor lifetime: UInt64
    ) async throws(Refusal) -> ShownMetadata {
        // A copy from the second of the change may be valid for one more.
        let delay = lifetime == .max ? lifetime : lifetime + 1
        let now = clock()
        // From the ledger, not from the directory, to see recent changes by other processes.
        let standing = try await Refusal.asking(
            await ledger.metadata(of: account.id, standingAt: UnixTime(now.seconds(since: UnixTime(delay)))))
        guard let standing else { throw .unknownAccount }
        let remaining = standing.replacedAt?.adding(seconds: delay).seconds(since: now)
        return ShownMetadata(
            version: standing.version, text: standing.text, maxAge: min(lifetime, remaining ?? lifetime))
    }

    /// The invoice that was issued for the same request before, while it can be paid.
    package func payInvoice(
        answering request: RequestDigest, of name: AccountID
    ) async throws(Refusal) -> NotifiedInvoice? {
        guard let earlier = try await Refusal.asking(await ledger.answer(to: request, at: clock())),
            earlier.account == name
        else { return nil }
        guard let text = earlier.bolt11 else { throw .unknownInvoice }
        return NotifiedInvoice(text: text, paymentHash: earlier.paymentHash)
    }

    /// An invoice for a payer whose request reached us by a notification, durable before this returns.
    ///
    /// Payer data and success actions are not supported: notifications carry neither.
    package func notifiedInvoice(
        of amount: Millisatoshi, comment: String?, _ request: RequestDigest, for name: AccountID,
        cachedFor lifetime: UInt64
    ) async throws(Refusal) -> NotifiedInvoice {
        let account = try await account(named: name)
        let payee = try await payee(account)
        try payee.check(amount)
        try payee.check(comment: comment)
        let standing = try await standingMetadata(of: account, cachedFor: lifetime)
        let order = try order(
            amount, .hashed(standing.text), expiry: account.settings.invoiceExpiry,
            withPreimage: account.settings.successAction.needsPreimage)
        let words = InvoiceOrigin.PayerWords(metadataVersion: standing.version, comment: comment)
        return try await issuer.issue(order, for: payee, claiming: .request(request)) { invoice, _ throws(Refusal) in
            SealedInvoice(
                document: NotifiedInvoice(text: invoice.text, paymentHash: invoice.paymentHash), origin: .lnurl(words))
        }
    }
}

/// The text that info and invoice use.
package struct ShownMetadata: Hashable, Sendable {
    package let version: UInt64
    package let text: String
    /// Seconds for which the first response may be cached.
    package let maxAge: UInt64
}

/// An invoice for a payer whose request reached us by a notification.
package struct NotifiedInvoice: Hashable, Sendable {
    /// BOLT11.
    package let text: String
    package let paymentHash: PaymentHash
}
