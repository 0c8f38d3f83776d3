public import LNURL
import LightningCoding
public import LightningCrypto
import Receiving

extension Responder {
    /// The answer of LNURL-verify (LUD-21): whether an invoice that was given out over LNURL for that name has been paid.
    ///
    /// The preimage is in it only once the payment is settled.
    public func verify(_ paymentHash: PaymentHash, of name: AddressName) async throws(Refusal) -> VerifyResponse {
        let invoice: IssuedInvoice?
        do {
            invoice = try await ledger.invoice(paymentHash)
        } catch {
            throw .unavailable(.ledger(error))
        }
        guard let invoice, invoice.account == name, case .lnurl = invoice.origin, let bolt11 = invoice.bolt11
        else { throw .unknownInvoice }
        return VerifyResponse(preimage: invoice.settlement?.preimage, pr: bolt11)
    }
}
