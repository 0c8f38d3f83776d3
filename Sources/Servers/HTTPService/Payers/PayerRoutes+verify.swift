import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel

extension PayerRoutes {
    /// Whether an invoice has been paid (LUD-21). Once the preimage is told, the response never changes.
    func verification(
        of paymentHash: PaymentHash, for name: AddressName, _ createdAt: UnixTime?, _ request: Request,
        _ context: ServiceContext
    ) async throws(PayerFault) -> PayerAnswer {
        if let seconds = admission.wait(for: .verify, request, context) { throw .tooOften(retryAfter: seconds) }
        let account = try await recipient(LocalPart(name: name), of: request, context).account
        if let answerer, let device = try await device(of: account, by: answerer, request, context) {
            guard request.method != .head else { return Self.unasked }
            // Where verify URLs of accounts have a time, those of devices have a mark.
            return try await verification(
                of: paymentHash, marked: createdAt?.seconds, at: device, by: answerer, for: payer(of: request, context))
        }
        do {
            return PayerAnswer(try await responder.verify(paymentHash, of: account, createdAt: createdAt))
        } catch {
            throw .refusal(error)
        }
    }
}
