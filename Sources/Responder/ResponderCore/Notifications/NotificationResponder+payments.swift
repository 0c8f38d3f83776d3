import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

extension NotificationResponder {
    /// Lets the node act on a swap, unless that does not apply to it; then waits for the swap's payment.
    func swap(_ id: String, _ status: SwapStatus, of name: AccountID) async -> NotificationAnswer {
        do {
            let payment = try await responder.advance(.swapUpdated(id: id, status), of: name)
            guard let payment else { return .done(text: settings.texts.unfinished(status)) }
            let invoice = try await settled(payment, of: name)
            return .done(payment, text: shown(invoice) ?? settings.texts.unfinished(status))
        } catch {
            return failed(error, text: settings.texts.unfinished(status))
        }
    }

    func arrival(of paymentHash: PaymentHash, for name: AccountID) async -> NotificationAnswer {
        do {
            return .done(paymentHash, text: shown(try await settled(paymentHash, of: name)))
        } catch {
            return failed(error, text: nil)
        }
    }

    /// Lets the node act on a confirmation on its chain.
    func advanced(_ event: BackendEvent, of name: AccountID) async -> NotificationAnswer {
        do {
            return .done(try await responder.advance(event, of: name))
        } catch {
            return failed(error, text: nil)
        }
    }

    private func shown(_ invoice: IssuedInvoice?) -> NotificationText? {
        invoice?.settlement.map { settings.texts.received($0.received) }
    }

    func failed(_ refusal: Refusal, text: NotificationText?) -> NotificationAnswer {
        if case .unavailable(.backend(_, .unsupported)) = refusal {
            return NotificationAnswer(.none(.notAsked), outcome: .ignored, text: text)
        }
        guard case .unavailable(let cause) = refusal else {
            return NotificationAnswer(.none(.notAsked), outcome: .refused, text: text)
        }
        return NotificationAnswer(.none(.notAsked), outcome: .failed, text: text, cause: cause.operatorReason)
    }

    /// An invoice of the account, once it is settled; nil when it can no longer be paid. Waits until cancelled.
    private func settled(_ paymentHash: PaymentHash, of name: AccountID) async throws(Refusal) -> IssuedInvoice? {
        while !Task.isCancelled {
            let invoice = try await responder.invoice(paymentHash, of: name)
            if invoice.settlement != nil { return invoice }
            switch try await responder.status(of: invoice) {
            case .settled(let time, let received, let preimage):
                let settlement = RecordedSettlement(settledAt: time, received: received, preimage: preimage)
                if try await responder.record(settlement, of: invoice) {
                    return try await responder.invoice(paymentHash, of: name)
                }
            case .closed: return nil
            case .open, nil: break
            }
            guard (try? await clock.sleep(clock.now() + settings.followInterval)) != nil else { return nil }
        }
        return nil
    }
}
