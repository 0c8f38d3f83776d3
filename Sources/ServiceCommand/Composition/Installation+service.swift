import Settings
import ServiceSetup
import LightningCoding
import HTTPService
import EmbeddedNode
import Contracts
import ResponderCore
import SQLiteLedger
import SQLiteStorage

extension Installation {
    /// Settles invoices of the embedded node, the only one that allows it; nil when there is none.
    var settlement: SettlementOnCommand? {
        guard let embedded, let name = configuration.embeddedName else { return nil }
        return SettlementOnCommand(backend: name) { paymentHash throws(SettlementFault) in
            _ = try await awaiting(
                await embedded.settle(paymentHash, at: .now()), as: { (fault: SettleFault) in SettlementFault(fault) })
        }
    }

    /// Authenticates forwarders.
    func webhookSecrets() throws(CommandFailure) -> WebhookSecrets {
        WebhookSecrets(key: try folder.webhookKey())
    }

    /// The components of the service.
    ///
    /// - Parameter noticeMismatch: called for invoices that do not match their order.
    func serviceParts(
        noticeMismatch: @escaping @Sendable (InvoiceMismatch) -> Void = { _ in }
    ) async throws(CommandFailure) -> AddressServer.Parts {
        let importedKeys = ImportedKeys()
        let responder = try await responder(importedKeys: importedKeys, noticeMismatch: noticeMismatch)
        return AddressServer.Parts(
            responder: responder,
            backends: backends,
            settlement: settlement,
            webhookSecrets: try webhookSecrets(),
            notifications: try notificationIntake(responder),
            outbox: ledger,
            settlementWebhooks: try await settlementWebhooks(),
            noticeImports: { [offerKeys = folder.offerKeys] in try offerKeys.read(into: importedKeys) },
            adminToken: AdminToken(try folder.adminToken()),
            ledgerActivity: { [database = ledger.database] in LedgerActivity(database.commitStatistics) }
        )
    }
}

extension Installation {
    private func notificationIntake(_ responder: Responder) throws(CommandFailure) -> NotificationIntake {
        NotificationIntake(
            reader: try notificationReader(),
            processor: try notificationProcessor(responder, asksNode: false),
            outbox: ledger,
            time: .seconds(configuration.notifications.deadline),
            isOpen: configuration.webhook.open
        )
    }
}

extension LedgerActivity {
    fileprivate init(_ statistics: CommitStatistics) {
        self.init(
            commits: statistics.commits,
            writes: statistics.writes,
            seconds: statistics.time / .seconds(1),
            longest: statistics.longest / .seconds(1)
        )
    }
}

extension SettlementFault {
    fileprivate init(_ fault: SettleFault) {
        self =
            switch fault {
            case .unknown: .unknown
            case .alreadySettled: .alreadySettled
            case .cancelled: .cancelled
            case .expired: .expired
            case .amountNotAccepted: .failed("the amount is not accepted")
            case .storage(let fault): .failed(fault.reason)
            }
    }
}

extension CommandFailure {
    /// A simulated payment that failed.
    init(_ fault: SettlementFault) {
        if case .failed = fault { self.init(.unavailable, fault.reason) } else { self.init(.no, fault.reason) }
    }
}
