package import Bolt12
package import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// Who answers for each account: the answerer that it has chosen, else the standard one, which orders invoices from our
/// own nodes.
package struct ResponderDirectory: Sendable {
    /// Answers whatever a payer may ask about an account.
    package typealias Answerer = PayResponder & InvoiceRequestResponder

    /// The answerer that an account has chosen; nil for the standard one.
    ///
    /// When it throws, nobody answers: an invoice of the standard answerer might pay somebody else.
    package typealias Choice = @Sendable (AccountID) async throws(Refusal.Cause) -> (any Answerer)?

    private let standard: any Answerer
    private let choice: Choice?

    /// Creates a directory. Without a choice the standard answerer answers for every account.
    package init(standard: any Answerer, choice: Choice? = nil) {
        self.standard = standard
        self.choice = choice
    }

    /// The answerer that an account has chosen; nil for the standard one.
    ///
    /// - Throws: why that is unknown; then nobody may answer.
    package func chosen(by name: AccountID) async throws(Refusal.Cause) -> (any Answerer)? {
        try await choice?(name)
    }

    private func answerer(for name: AccountID) async throws(Refusal.Cause) -> any Answerer {
        try await chosen(by: name) ?? standard
    }
}

extension ResponderDirectory: PayResponder {
    /// The limits and metadata of an address.
    package func payRequest(for recipient: Recipient) async throws(Refusal) -> PayRequest {
        try await awaiting(await answerer(for: recipient.account), as: Refusal.unavailable).payRequest(for: recipient)
    }

    /// An invoice for that amount.
    package func payInvoice(
        for recipient: Recipient, version: UInt64?, query: CallbackQuery
    ) async throws(Refusal) -> PayInvoice {
        try await awaiting(await answerer(for: recipient.account), as: Refusal.unavailable)
            .payInvoice(for: recipient, version: version, query: query)
    }

    /// Whether an invoice has been paid.
    package func verify(
        _ paymentHash: PaymentHash, of name: AccountID, createdAt: UnixTime?
    ) async throws(Refusal) -> VerifyResponse {
        try await awaiting(await answerer(for: name), as: Refusal.unavailable).verify(
            paymentHash, of: name, createdAt: createdAt)
    }
}

extension ResponderDirectory: InvoiceRequestResponder {
    /// A signed BOLT12 invoice.
    package func invoice(
        answering bytes: [UInt8], to offer: Offer?, for name: AccountID, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        try await awaiting(await answerer(for: name), as: RequestRefusal.unavailable)
            .invoice(answering: bytes, to: offer, for: name, arrival: arrival)
    }
}
