import CoreMetrics
import Logging
import Platform
import ResponderCore
import ResponderModel

/// Counts invoices that do not match their order, and logs what becomes of them: one line for each node and cause a
/// minute.
struct MismatchObserver: Sendable {
    private let mismatches: [BackendName: Counter]
    private let logger: Logger
    private let lines = RepeatedLines<String>()

    init(of backends: some Sequence<BackendName>, metrics: any MetricsFactory, logger: Logger) {
        mismatches = metrics.counters("responder_invoice_mismatches_total", by: "backend", of: backends, \.description)
        self.logger = logger
    }

    /// Counts invoices that nobody cancels. The request that one was made for logs it.
    func observe(_ ledger: any Ledger) {
        ledger.observers.add { [mismatches] fact in
            if case .unrecordedMismatch(let mismatch) = fact { mismatches[mismatch.backend]?.increment() }
        }
    }

    /// Records an attempt to cancel such an invoice. Later attempts are logged only when they are the last.
    func note(_ attempt: OutboxAttempt) {
        guard let mismatch = InvoiceMismatch(attempt.work) else { return }
        if let fault = attempt.ledgerFault {
            lines.note("\(mismatch.backend) " + fault.reason) { [logger] times in
                logger.error(
                    "outbox entry not recorded",
                    metadata: ["id": "\(attempt.work.id)", "cause": .string(fault.reason)].repeated(times))
            }
        }
        let isFirst = attempt.work.failure == nil
        if isFirst { mismatches[mismatch.backend]?.increment() }
        let end: String
        switch attempt.outcome {
        case .carriedOut, .recorded, .continued: end = "cancelled"
        case .dropped(let reason), .refused(let reason): end = reason
        case .failed(let reason), .postponed(_, let reason):
            guard isFirst else { return }
            end = reason
        }
        lines.note("\(mismatch.backend) " + mismatch.cause) { [logger] times in
            var words: Logger.Metadata = [
                "backend": "\(mismatch.backend)", "cause": .string(mismatch.cause),
                "payment-hash": "\(mismatch.paymentHash)", "end": .string(end),
            ]
            words["account"] = attempt.work.account.map { "\($0)" }
            logger.error("invoice does not match its order", metadata: words.repeated(times))
        }
    }
}
