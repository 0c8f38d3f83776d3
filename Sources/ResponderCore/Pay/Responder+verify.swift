public import LNURL
import LightningCoding
public import LightningCrypto
public import Contracts

extension Responder {
    /// The answer of LNURL-verify (LUD-21), by what the ledger knows.
    public func verify(_ paymentHash: PaymentHash, of name: AddressName) async throws(Refusal) -> VerifyResponse {
        try await verify(paymentHash, of: name, asksNode: false)
    }

    /// The answer of LNURL-verify (LUD-21): whether an invoice that was given out over LNURL for that name has been paid.
    ///
    /// The preimage is in it only once the payment is settled.
    ///
    /// - Parameter asksNode: whether the node is asked about what is not settled in the ledger: for processes beside which
    ///   nobody writes settlements down.
    public func verify(
        _ paymentHash: PaymentHash, of name: AddressName, asksNode: Bool
    ) async throws(Refusal) -> VerifyResponse {
        let invoice = try await invoice(paymentHash, of: name)
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
