import Logging
import ResponderCore

extension Logger {
    /// What is noticed about the clocks.
    func note(_ event: LedgerClock.Event) {
        switch event {
        case .jumped(let step):
            error(
                "the ledger's clock has jumped; nothing is deleted by its age for 12 hours, unless the service restarts",
                metadata: ["seconds": "\(step.components.seconds)"])
        case .deviates(let ahead):
            log(
                level: ahead >= LedgerClock.limit || ahead <= .zero - LedgerClock.limit ? .error : .warning,
                "this machine's clock differs from the ledger's; synchronize it",
                metadata: ["seconds": "\(ahead.components.seconds)"])
        case .agrees: info("this machine's clock agrees with the ledger's again")
        }
    }
}
