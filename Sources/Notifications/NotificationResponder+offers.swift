import ResponderCore
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Contracts

extension NotificationResponder {
    /// A BOLT12 invoice for a request that a forwarder received from the Lightning network.
    func offeredInvoice(
        _ request: [UInt8], _ offer: String?, for name: AccountID, by answerer: any AnswersInvoiceRequests
    ) async -> NotificationAnswer {
        do throws(RequestRefusal) {
            let invoice = try await answerer.invoice(
                answering: request, to: try offer.map(Self.offer), for: name, arrival: .forwarder)
            return .reply(Reply(["invoice": .string(invoice.text)]), paymentHash: invoice.paymentHash)
        } catch {
            return refused(error)
        }
    }

    /// The answer to a request for an invoice that there is none for.
    func refused(_ refusal: RequestRefusal) -> NotificationAnswer {
        let cause = refusal.cause
        let outcome: EventRecord.Outcome = cause == nil ? .refused : .failed
        if refusal.isSilent { return NotificationAnswer(.none(.ignored), outcome: outcome) }
        if refusal.isTransient { return NotificationAnswer(.none(.transient), outcome: outcome, cause: cause) }
        return NotificationAnswer(
            .reply(Reply(["error": .string(refusal.reason)], isError: true)), outcome: outcome, cause: cause)
    }

    private static func offer(_ text: String) throws(RequestRefusal) -> Offer {
        try rethrowing(Offer(text), as: RequestRefusal.request(.offerMismatch))
    }
}
