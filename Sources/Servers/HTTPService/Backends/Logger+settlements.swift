import CoreMetrics
import LightningCoding
import Logging
import ResponderCore
import ResponderModel

extension Logger {
    func note(
        _ event: SettlementFollower.Event, _ worth: SettlementWatch.Notice, counting unreadable: Counter
    ) {
        switch event {
        // The ledger observer logs settlements, whichever process recorded them.
        case .settled: break
        case .skipped(let name, let skipped):
            unreadable.increment()
            error(
                "a payment cannot be read and is skipped",
                metadata: [
                    "backend": "\(name)", "payment-hash": "\(skipped.paymentHash.map { "\($0)" } ?? "unknown")",
                    "cause": "\(skipped.reason)",
                ]
            )
        case .interrupted(let name, let error):
            let cause = error.readableReason
            let times = if case .broken(let times) = worth { times } else { 1 }
            warning(
                "settlements interrupted",
                metadata: ["backend": "\(name)", "cause": .string(cause), "times": "\(times)"])
        case .resumed(let name):
            notice("node answers again", metadata: ["backend": "\(name)"])
        case .renumbered(let name, let cursor):
            warning(
                "the node's payment count was reset, so its database was probably rebuilt; its payments are read from the beginning",
                metadata: ["backend": "\(name)", "cursor": "\(cursor.text)"])
        case .reconciliationCut(let name, let moment):
            warning(
                "older invoices were not checked; they are checked before they are deleted",
                metadata: ["backend": "\(name)", "given-out-until": "\(moment.iso8601)"])
        }
    }
}

extension Logger.Metadata {
    /// The same with a repeat count, unless that is 1.
    func repeated(_ times: Int) -> Logger.Metadata {
        times == 1 ? self : merging(["times": "\(times)"]) { $1 }
    }
}
