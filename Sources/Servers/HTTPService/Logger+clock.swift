import Logging
import ResponderCore

extension Logger {
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

    func note(_ event: NodeClocks.Event) {
        switch event {
        case .deviates(let name, let ahead):
            warning(
                "the node's clock differs from the ledger's; synchronize both",
                metadata: ["backend": "\(name)", "seconds": "\(ahead.components.seconds)"])
        case .agrees(let name):
            info("the node's clock agrees with the ledger's again", metadata: ["backend": "\(name)"])
        }
    }
}
