public import LNURL
public import LightningCoding
public import LightningCrypto

/// Answers the payers of Lightning addresses: LNURL-pay (LUD-06, LUD-16) and LNURL-verify (LUD-21).
///
/// Every request names an account, so an implementation can forward it to the one that the account has chosen.
public protocol AnswersPayers: Sendable {
    /// The limits and metadata of an address, and where to request the invoice.
    func payRequest(for recipient: Recipient) async throws(Refusal) -> PayRequest

    /// An invoice for that amount, durable before this returns.
    ///
    /// - Parameters:
    ///   - version: the version of the account shown to the payer; nil means the current one.
    ///   - query: what the payer sent.
    func payInvoice(
        for recipient: Recipient, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice

    /// Whether an invoice issued over LNURL for that account has been paid. The preimage is included only once the
    /// payment is settled.
    ///
    /// - Parameter createdAt: when the invoice was issued, if known.
    func verify(
        _ paymentHash: PaymentHash, of account: AccountID, createdAt: UnixTime?
    ) async throws(Refusal) -> VerifyResponse
}

extension AnswersPayers {
    /// Whether an invoice issued over LNURL for that account has been paid.
    public func verify(_ paymentHash: PaymentHash, of account: AccountID) async throws(Refusal) -> VerifyResponse {
        try await verify(paymentHash, of: account, createdAt: nil)
    }
}
