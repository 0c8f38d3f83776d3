import CoreMetrics
import Logging
import Platform
import ResponderCore
import ResponderModel

/// Counts attempts at outbox work, and logs failures.
struct OutboxObserver: Sendable {
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let faults = RepeatedLines<String>()
    private let attempts = RepeatedLines<AttemptLine>()

    /// Attempts that share a line: anybody can cause any number of them.
    private struct AttemptLine: Hashable {
        let kind: OutboxKind
        let outcome: String
        let reason: String?
    }

    init(metrics: any MetricsFactory, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    /// Work that cannot be claimed is not attempted at all.
    @Sendable func note(_ fault: LedgerFault) {
        faults.note(fault.reason) { [logger] times in
            logger.error("cannot read the outbox", metadata: ["cause": .string(fault.reason)].repeated(times))
        }
    }

    func count(_ attempt: OutboxAttempt) {
        Counter(
            label: "responder_outbox_attempts_total",
            dimensions: [("kind", attempt.work.kind.rawValue), ("outcome", attempt.outcome.words.0)], factory: metrics
        ).increment()
    }

    func log(_ attempt: OutboxAttempt) {
        let (outcome, reason) = attempt.outcome.words
        var details: Logger.Metadata = [
            "id": "\(attempt.work.id)", "kind": "\(attempt.work.kind)", "attempts": "\(attempt.work.attempts)",
        ]
        details["account"] = attempt.work.account.map { "\($0)" }
        if let reason { details["cause"] = "\(reason)" }
        let line: (level: Logger.Level, text: Logger.Message)? =
            switch attempt.outcome {
            case .carriedOut, .recorded, .continued: nil
            case .dropped: (.notice, "outbox entry dropped")
            case .failed, .postponed: (.warning, "outbox entry failed")
            case .refused: (.error, "outbox entry parked")
            }
        if let line { write(line.level, line.text, outcome, reason, details, of: attempt.work.kind) }
        if let fault = attempt.ledgerFault {
            details["cause"] = .string(fault.reason)
            write(.error, "outbox entry not recorded", "not recorded", fault.reason, details, of: attempt.work.kind)
        }
    }

    /// Writes one line a minute for each kind of work and cause, with the first entry that it is about.
    private func write(
        _ level: Logger.Level, _ text: Logger.Message, _ outcome: String, _ reason: String?,
        _ details: Logger.Metadata, of kind: OutboxKind
    ) {
        attempts.note(AttemptLine(kind: kind, outcome: outcome, reason: reason)) { [logger] times in
            logger.log(level: level, text, metadata: details.repeated(times))
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
