package import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension Responder {
    /// The LNURL-verify response (LUD-21), from the ledger.
    package func verify(
        _ paymentHash: PaymentHash, of name: AccountID, createdAt: UnixTime?
    ) async throws(Refusal) -> VerifyResponse {
        try await verify(paymentHash, of: name, createdAt: createdAt, asksNode: false)
    }

    /// The LNURL-verify response (LUD-21): whether an invoice issued over LNURL for that name has been paid.
    ///
    /// The preimage is included only once the payment is settled.
    ///
    /// - Parameters:
    ///   - paymentHash: the hash of the invoice.
    ///   - name: the account.
    ///   - createdAt: when the invoice was issued, if known.
    ///   - asksNode: whether to query the node about what is not settled in the ledger: for processes that run without a
    ///     settlement follower.
    package func verify(
        _ paymentHash: PaymentHash, of name: AccountID, createdAt: UnixTime? = nil, asksNode: Bool
    ) async throws(Refusal) -> VerifyResponse {
        let invoice = try await invoice(paymentHash, of: name, createdAt: createdAt)
        guard case .lnurl = invoice.origin, let bolt11 = invoice.bolt11 else { throw .unknownInvoice }
        if let settlement = invoice.settlement {
            return VerifyResponse(preimage: settlement.preimage, pr: bolt11)
        }
        if asksNode, case .settled(_, _, let preimage) = try await status(of: invoice),
            preimage.paymentHash == paymentHash
        {
            return VerifyResponse(preimage: preimage, pr: bolt11)
        }
        return VerifyResponse(preimage: nil, pr: bolt11)
    }
}
