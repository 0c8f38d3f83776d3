import LNURL
import Receiving
import Responding

extension PayerRoutes {
    /// What may be sent (LUD-06). With a challenge in it the answer is for one payer alone.
    func payRequest(for recipient: LocalPart) async throws(PayerFault) -> PayerAnswer {
        do {
            let answer = try await responder.payRequest(for: recipient)
            return PayerAnswer(
                answer.json,
                headers: answer.payerData?.k1 == nil ? infoHeaders : PayerHeaders.noStore
            )
        } catch {
            throw .refusal(error)
        }
    }
}
