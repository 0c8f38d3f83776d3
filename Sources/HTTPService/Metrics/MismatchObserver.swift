import CoreMetrics
public import Logging
public import Contracts
public import ResponderCore

/// Counts invoices that do not match their order, and logs the difference, once for each.
public struct MismatchObserver: Sendable {
    private let mismatches: [BackendName: Counter]
    private let logger: Logger

    /// An observer for these nodes.
    public init(of backends: some Sequence<BackendName>, metrics: PrometheusMetrics, logger: Logger) {
        mismatches = Dictionary(
            backends.map { name in
                let dimensions = [("backend", name.description)]
                return (
                    name,
                    Counter(label: "responder_invoice_mismatches_total", dimensions: dimensions, factory: metrics)
                )
            }, uniquingKeysWith: { first, _ in first })
        self.logger = logger
    }

    /// Records a mismatch.
    public func note(_ mismatch: InvoiceMismatch) {
        mismatches[mismatch.backend]?.increment()
        logger.error(
            "invoice does not match its order",
            metadata: [
                "backend": "\(mismatch.backend)", "cause": "\(mismatch.fault.reason)",
                "payment-hash": "\(mismatch.paymentHash)", "end": "\(mismatch.end.reason)",
            ]
        )
    }
}
