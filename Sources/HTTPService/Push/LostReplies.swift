public import Contracts
public import Logging
import RateLimiting

/// Tells the operator that replies of devices which reach other instances are lost: one line for each cause a minute.
public struct LostReplies: Sendable {
    private let logger: Logger
    private let lines = RepeatedLines<String>()

    /// Creates an observer.
    public init(logger: Logger) {
        self.logger = logger
    }

    /// Notes the fault of the ledger that kept a reply from being expected or handed over.
    @Sendable public func note(_ fault: LedgerFault) {
        lines.note(fault.reason) { [logger] times in
            logger.error(
                "replies that reach other instances are lost",
                metadata: ["cause": .string(fault.reason)].repeated(times))
        }
    }
}
