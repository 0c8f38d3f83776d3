import ResponderCore
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Contracts

extension NotificationResponder {
    /// A BOLT12 invoice for a request that a forwarder received from the Lightning network.
    func offeredInvoice(
        _ request: [UInt8], _ offer: String?, for name: AddressName, by answerer: any AnswersInvoiceRequests
    ) async -> NotificationAnswer {
        do throws(RequestRefusal) {
            let invoice = try await answerer.invoice(
                answering: request, to: try offer.map(Self.offer), for: name, arrival: .forwarder)
            return .reply(Reply(["invoice": .string(invoice.text)]), paymentHash: invoice.paymentHash)
        } catch {
            let outcome: EventRecord.Outcome = error.cause == nil ? .refused : .failed
            let cause = error.unnoticedCause
            if error.isSilent { return NotificationAnswer(.none(.ignored), outcome: outcome) }
            if error.isTransient { return NotificationAnswer(.none(.transient), outcome: outcome, cause: cause) }
            return NotificationAnswer(
                .reply(Reply(["error": .string(error.reason)], isError: true)), outcome: outcome, cause: cause)
        }
    }

    private static func offer(_ text: String) throws(RequestRefusal) -> Offer {
        try rethrowing(Offer(text), as: RequestRefusal.request(.offerMismatch))
    }
}
