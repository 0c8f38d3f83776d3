import Hummingbird
import LNURL
import LightningCrypto
import Contracts

extension PayerRoutes {
    /// Whether an invoice has been paid (LUD-21). Once it has, the response never changes.
    func verification(
        of paymentHash: PaymentHash, for name: AddressName, _ request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> PayerAnswer {
        if let seconds = admission.wait(for: .verify, request, context) { throw .tooOften(retryAfter: seconds) }
        let account = AccountID(name, at: try await domain(of: request))
        do {
            let answer = try await responder.verify(paymentHash, of: account)
            return PayerAnswer(answer.json, headers: answer.settled ? PayerHeaders.forever : PayerHeaders.noStore)
        } catch {
            throw .refusal(error)
        }
    }
}
