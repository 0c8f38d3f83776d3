import Hummingbird
import LNURL
import ResponderModel

extension PayerRoutes {
    /// The payRequest (LUD-06). With a challenge in it, the response is for one payer only.
    func payRequest(
        for localPart: LocalPart, _ request: Request, _ context: ServiceContext
    ) async throws(PayerFault) -> PayerAnswer {
        if let seconds = admission.wait(for: .info, request, context) { throw .tooOften(retryAfter: seconds) }
        let recipient = try await recipient(localPart, of: request, context)
        if let answerer, let device = try await device(of: recipient.account, by: answerer, request, context) {
            guard request.method != .head else { return Self.unasked }
            return try await payRequest(of: device, by: answerer, for: payer(of: request, context))
        }
        do {
            let answer = try await responder.payRequest(for: recipient)
            return PayerAnswer(answer.json, headers: answer.payerData?.k1 == nil ? infoHeaders : PayerHeaders.noStore)
        } catch {
            throw .refusal(error)
        }
    }
}
