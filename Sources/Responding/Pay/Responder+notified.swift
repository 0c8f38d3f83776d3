import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension Responder {
    /// The text that info and invoice stand by when the question names no version.
    ///
    /// A changed text takes effect when the last cached copy of the old one has expired: until then both answers keep to the
    /// old one, and the first is kept for no longer than until then.
    ///
    /// - Parameter lifetime: seconds for which the first answer may be kept.
    func standingMetadata(of account: Account, cachedFor lifetime: UInt64) async throws(Refusal) -> ShownMetadata {
        // A copy of the second in which the text was changed may be good for one more.
        let delay = lifetime == .max ? lifetime : lifetime + 1
        let now = clock()
        let standing: StandingMetadata?
        do {
            // From the ledger, not from the directory: what another process has changed a moment ago counts.
            standing = try await ledger.metadata(
                of: account.name, standingAt: UnixTime(now.seconds(since: UnixTime(delay))))
        } catch {
            throw .unavailable(.ledger(error))
        }
        guard let standing else { throw .unknownAccount }
        let remaining = standing.replacedAt?.adding(seconds: delay).seconds(since: now)
        return ShownMetadata(
            version: standing.version, text: standing.text, maxAge: min(lifetime, remaining ?? lifetime))
    }

    /// The invoice that a question was answered with before, as long as it can be paid.
    func payInvoice(
        answering request: RequestDigest, of name: AddressName
    ) async throws(Refusal) -> IssuedInvoice? {
        do {
            guard let earlier = try await ledger.answer(to: request, at: clock()), earlier.account == name else {
                return nil
            }
            return earlier
        } catch {
            throw .unavailable(.ledger(error))
        }
    }

    /// An invoice for a payer who asked through a service that notifies us, durable before this returns.
    ///
    /// Payer data is not asked for, and no action follows the payment: neither goes through a notification.
    func notifiedInvoice(
        _ wish: NotifiedEvent.InvoiceWish, _ request: RequestDigest, of name: AddressName, cachedFor lifetime: UInt64
    ) async throws(Refusal) -> IssuedInvoice {
        let account = try await account(named: name)
        try checkAmount(wish.amount, against: try await limits(of: account), try await capabilities(of: account))
        try checkComment(wish.comment, of: account)
        let standing = try await standingMetadata(of: account, cachedFor: lifetime)
        return try await issue(
            CallbackQuery(amount: wish.amount, comment: wish.comment),
            committingTo: standing.text,
            words: InvoiceOrigin.PayerWords(metadataVersion: standing.version, comment: wish.comment),
            for: account,
            using: .request(request)
        )
        .0
    }
}

/// The text that info and invoice stand by.
struct ShownMetadata: Hashable, Sendable {
    let version: UInt64
    let text: String
    /// Seconds for which the first answer may be kept.
    let maxAge: UInt64
}
