package import LightningCoding
package import ResponderModel

/// Cancels invoices that a node made otherwise than ordered, so that they do not stay payable.
package struct MismatchedInvoices: OutboxHandler {
    private let ledger: any Ledger
    private let backends: [BackendName: any ReceiveBackend]
    private let clock: WallClock

    package init(
        ledger: any Ledger, backends: [BackendName: any ReceiveBackend], clock: @escaping WallClock = { .now() }
    ) {
        self.ledger = ledger
        self.backends = backends
        self.clock = clock
    }

    /// Makes one attempt. An invoice that a payer holds is never canceled, whatever the node said.
    package func carryOut(_ job: InvoiceMismatch, _ work: OutboxWork) async -> OutboxOutcome {
        if let deadline = work.deadline, deadline <= clock() { return .dropped("it has expired") }
        guard let backend = backends[job.backend] else { return .refused("its node is no longer configured") }
        do {
            guard try await ledger.invoice(job.paymentHash) == nil else {
                return .dropped("it stays: a payer holds an invoice with its payment hash")
            }
        } catch {
            return .failed("the ledger was not readable")
        }
        do throws(BackendFault) {
            guard try await backend.capabilities.cancels else {
                return .dropped("it stays until it expires: the node cannot cancel invoices")
            }
            try await backend.cancel(job.paymentHash)
            return .carriedOut
        } catch {
            return .failed("the node did not cancel it: \(error.reason)")
        }
    }
}
