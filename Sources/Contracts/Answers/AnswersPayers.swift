public import LNURL
public import LightningCrypto

/// Answers the payers of Lightning addresses: LNURL-pay (LUD-06, LUD-16) and LNURL-verify (LUD-21).
///
/// Every question names an account, so that one answerer may pass it on to another that the account has chosen.
public protocol AnswersPayers: Sendable {
    /// What may be sent to that address, and where to ask for the invoice.
    func payRequest(for recipient: LocalPart) async throws(Refusal) -> PayRequest

    /// An invoice for that amount, durable before this returns.
    ///
    /// - Parameters:
    ///   - version: the version of the account that the payer saw; nil means the current one.
    ///   - query: what the payer sent.
    func payInvoice(
        for recipient: LocalPart, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice

    /// Whether an invoice that was given out over LNURL for that name has been paid. The preimage is in the answer only once
    /// the payment is settled.
    func verify(_ paymentHash: PaymentHash, of name: AddressName) async throws(Refusal) -> VerifyResponse
}
