import CoreMetrics
import LNURL
import LightningCoding
import Logging
import Platform
import ResponderModel

/// Counts the invoices that this process issues, and logs those that are paid.
struct LedgerObserver: Sendable {
    private let issued = Guarded<[DomainName: Counter]>([:])
    private let metrics: any MetricsFactory
    private let logger: Logger

    init(metrics: any MetricsFactory, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    func observe(_ ledger: any Ledger) {
        ledger.observers.add { fact in note(fact) }
    }

    /// An invoice is of an account, so only domains of the ledger are counted.
    private func counter(of domain: DomainName) -> Counter {
        issued.withLock { counters in
            if let counter = counters[domain] { return counter }
            let counter = Counter(
                label: "responder_invoices_issued_total", dimensions: [("domain", domain.text)], factory: metrics)
            counters[domain] = counter
            return counter
        }
    }

    private func note(_ fact: LedgerFact) {
        switch fact {
        case .issued(let invoice): counter(of: invoice.account.domain).increment()
        case .settled(let invoice):
            logger.info(
                "invoice settled",
                metadata: [
                    "account": "\(invoice.account)", "payment-hash": "\(invoice.paymentHash)",
                    "amount-msat": "\(invoice.amount.msat)", "backend": "\(invoice.backend)",
                ]
            )
        case .workDue, .unrecordedMismatch: break
        }
    }
}

extension LedgerTotals {
    /// Its lines of the metrics page. Payments are counted by the ledger, in the transaction that records them,
    /// including those recorded by other processes.
    var page: String {
        func lines(_ name: String, _ counts: [OutboxKind: UInt64]) -> String {
            let kinds = Set(counts.keys).union(OutboxKind.all).sorted()
            return "# TYPE \(name) gauge\n" + kinds.map { "\(name){kind=\"\($0)\"} \(counts[$0] ?? 0)\n" }.joined()
        }
        return lines("responder_outbox_parked", parked) + lines("responder_outbox_pending", pending)
            + "# TYPE responder_settlements_total counter\nresponder_settlements_total \(settlements)\n"
    }
}
