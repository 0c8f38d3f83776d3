import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Contracts

extension PayerRoutes {
    /// Whether an invoice has been paid (LUD-21). Once the preimage is told, the response never changes.
    func verification(
        of paymentHash: PaymentHash, for name: AddressName, _ createdAt: UnixTime?, _ request: Request,
        _ context: ServiceContext
    ) async throws(PayerFault) -> PayerAnswer {
        if let seconds = admission.wait(for: .verify, request, context) { throw .tooOften(retryAfter: seconds) }
        let account = try await recipient(LocalPart(name: name), of: request, context).account
        try await admitToDevice(account, request, context)
        do {
            let answer = try await responder.verify(paymentHash, of: account, createdAt: createdAt)
            return PayerAnswer(answer)
        } catch {
            throw .refusal(error)
        }
    }
}
