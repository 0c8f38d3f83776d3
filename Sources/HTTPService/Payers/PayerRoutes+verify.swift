import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Contracts

extension PayerRoutes {
    /// Whether an invoice has been paid (LUD-21). Once it has, the response never changes.
    func verification(
        of paymentHash: PaymentHash, for name: AddressName, _ createdAt: UnixTime?, _ request: Request,
        _ context: ServiceContext
    ) async throws(PayerFault) -> PayerAnswer {
        if let seconds = admission.wait(for: .verify, request, context) { throw .tooOften(retryAfter: seconds) }
        let account = try await recipient(LocalPart(name: name), of: request, context).account
        do {
            let answer = try await responder.verify(paymentHash, of: account, createdAt: createdAt)
            return PayerAnswer(answer.json, headers: answer.settled ? PayerHeaders.forever : PayerHeaders.noStore)
        } catch {
            throw .refusal(error)
        }
    }
}
