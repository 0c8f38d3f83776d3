import CoreMetrics
import LNURL
import LightningCoding
import Logging
import Platform
import ResponderCore
import ResponderModel

/// Counts what happens in the background, and logs it: invoices and payments of the ledger, attempts at outbox work, the
/// nodes' reports of payments.
struct BackgroundObserver: Sendable {
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let issued = Guarded<[DomainName: Counter]>([:])
    private let mismatches: [BackendName: Counter]
    private let unreadable: Counter
    private let lines = RepeatedLines<Line>()
    /// Those of our own nodes and ledger, apart: what strangers make fail must not use up their lines.
    private let alarms = RepeatedLines<Line>()

    /// What shares one line a minute: anybody can cause any number of attempts.
    private struct Line: Hashable {
        let kind: OutboxKind?
        var backend: BackendName?
        let outcome: String
        let reason: String?
    }

    init(of backends: some Sequence<BackendName>, metrics: any MetricsFactory, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
        mismatches = metrics.counters("responder_invoice_mismatches_total", by: "backend", of: backends, \.description)
        unreadable = Counter(label: "responder_settlements_unreadable_total", factory: metrics)
    }

    /// Counts the invoices that this process issues, and those that do not match their order and that nobody cancels: the
    /// request that one was made for logs it. Logs what is paid, whichever process has recorded it.
    func observe(_ ledger: any Ledger) {
        ledger.observers.add { fact in
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
            case .unrecordedMismatch(let mismatch): mismatches[mismatch.backend]?.increment()
            case .workDue: break
            }
        }
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

    /// Work that cannot be claimed is not attempted at all.
    @Sendable func note(_ fault: LedgerFault) {
        write(
            .error, "cannot read the outbox", ["cause": .string(fault.reason)],
            Line(kind: nil, outcome: "not claimed", reason: fault.reason), among: alarms)
    }

    @Sendable func note(_ attempt: OutboxAttempt) {
        let work = attempt.work
        let (outcome, reason) = attempt.outcome.words
        Counter(
            label: "responder_outbox_attempts_total",
            dimensions: [("kind", work.kind.rawValue), ("outcome", outcome)], factory: metrics
        ).increment()
        var details: Logger.Metadata = ["id": "\(work.id)", "kind": "\(work.kind)", "attempts": "\(work.attempts)"]
        details["account"] = work.account.map { "\($0)" }
        if let fault = attempt.ledgerFault {
            write(
                .error, "outbox entry not recorded", details.merging(["cause": .string(fault.reason)]) { $1 },
                Line(kind: work.kind, outcome: "not recorded", reason: fault.reason), among: alarms)
        }
        // Payloads of other kinds hold what senders post, which may look like one.
        if work.kind == .invoiceMismatch, let mismatch = InvoiceMismatch(work) {
            return note(mismatch, attempt, outcome, reason)
        }
        if let reason { details["cause"] = "\(reason)" }
        let line = Line(kind: work.kind, outcome: outcome, reason: reason)
        switch attempt.outcome {
        case .carriedOut, .recorded, .continued: break
        case .dropped: write(.notice, "outbox entry dropped", details, line, among: lines)
        case .failed, .postponed: write(.warning, "outbox entry failed", details, line, among: lines)
        case .refused: write(.error, "outbox entry parked", details, line, among: lines)
        }
    }

    /// Notes an attempt to cancel an invoice that does not match its order. Later ones are logged only when they are the last.
    private func note(_ mismatch: InvoiceMismatch, _ attempt: OutboxAttempt, _ outcome: String, _ reason: String?) {
        let isFirst = attempt.work.failure == nil
        if isFirst { mismatches[mismatch.backend]?.increment() }
        switch attempt.outcome {
        case .failed, .postponed: guard isFirst else { return }
        case .carriedOut, .recorded, .continued, .dropped, .refused: break
        }
        var details: Logger.Metadata = [
            "backend": "\(mismatch.backend)", "cause": .string(mismatch.cause),
            "payment-hash": "\(mismatch.paymentHash)", "end": .string(reason ?? "canceled"),
        ]
        details["account"] = attempt.work.account.map { "\($0)" }
        write(
            .error, "invoice does not match its order", details,
            Line(kind: attempt.work.kind, backend: mismatch.backend, outcome: "", reason: mismatch.cause),
            among: alarms)
    }

    /// Writes one line a minute, with the first entry that it is about.
    private func write(
        _ level: Logger.Level, _ text: Logger.Message, _ details: Logger.Metadata, _ line: Line,
        among lines: RepeatedLines<Line>
    ) {
        lines.note(line) { [logger] times in logger.log(level: level, text, metadata: details.repeated(times)) }
    }

    func note(_ event: SettlementFollower.Event, _ worth: SettlementWatch.Notice) {
        switch event {
        // Known from the ledger, whichever process has recorded it.
        case .settled: break
        case .skipped(let name, let skipped):
            unreadable.increment()
            logger.error(
                "a payment cannot be read and is skipped",
                metadata: [
                    "backend": "\(name)", "payment-hash": "\(skipped.paymentHash.map { "\($0)" } ?? "unknown")",
                    "cause": "\(skipped.reason)",
                ]
            )
        case .interrupted(let name, let error):
            let cause = error.readableReason
            let times = if case .broken(let times) = worth { times } else { 1 }
            logger.warning(
                "settlements interrupted",
                metadata: ["backend": "\(name)", "cause": .string(cause), "times": "\(times)"])
        case .resumed(let name): logger.notice("node answers again", metadata: ["backend": "\(name)"])
        case .renumbered(let name, let cursor):
            logger.warning(
                "the node's payment count was reset, so its database was probably rebuilt; its payments are read from the beginning",
                metadata: ["backend": "\(name)", "cursor": "\(cursor.text)"])
        case .reconciliationCut(let name, let moment):
            logger.warning(
                "older invoices were not checked; they are checked before they are deleted",
                metadata: ["backend": "\(name)", "given-out-until": "\(moment.iso8601)"])
        }
    }
}

extension OutboxOutcome {
    fileprivate var words: (String, reason: String?) {
        switch self {
        case .carriedOut, .recorded: ("done", nil)
        case .continued: ("continued", nil)
        case .dropped(let reason): ("dropped", reason)
        case .failed(let reason), .postponed(_, let reason): ("failed", reason)
        case .refused(let reason): ("refused", reason)
        }
    }
}

extension Logger.Metadata {
    /// The same with a repeat count, unless that is 1.
    func repeated(_ times: Int) -> Logger.Metadata {
        times == 1 ? self : merging(["times": "\(times)"]) { $1 }
    }
}
