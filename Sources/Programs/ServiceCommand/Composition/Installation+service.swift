import CoreMetrics
import EmbeddedNode
import HTTPService
import ServiceSetup
import Logging
import Platform
import Registrations
import ResponderCore
import ResponderModel

extension Installation {
    /// Settles invoices of the embedded node, the only one that allows it; nil when there is none.
    var settlement: SettlementOnCommand? {
        guard let embedded, let name = configuration.embeddedName else { return nil }
        return SettlementOnCommand(backend: name) { [now] invoice throws(SettlementFault) in
            guard let bolt11 = invoice.bolt11 else { throw .unknown }
            try await embedded.pay(bolt11, at: now())
        }
    }

    func webhookSecrets() throws(CommandFailure) -> WebhookSecrets {
        WebhookSecrets(key: try folder.webhookKey())
    }

    /// The service: each feature is built from its own settings, and nil where these do not ask for it.
    func serviceParts(
        _ instance: ServiceInstance, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        logger: Logger = Logger(label: "lightning-responder")
    ) async throws(CommandFailure) -> AddressServer.Parts {
        let importedKeys = ImportedKeys()
        let responder = try responder(importedKeys: importedKeys)
        let secrets = try webhookSecrets()
        let slots = SharedSlots(configuration.service.limits.waiting)
        let replies = AwaitedReplies(shared: ledger.sharedReplies, noteFault: AwaitedReplies.noteFaults(in: logger))
        let (pushes, devices) = try pushes(replies: replies, slots: slots, metrics: metrics, logger: logger)
        let gateway = try gateway(
            responder, secrets: secrets, replies: replies, slots: slots, pushes: pushes, devices: devices,
            metrics: metrics, logger: logger)
        let users = try gateway.map { gateway throws(CommandFailure) in
            AppUsers(
                ledger, accounts: responder.accounts, channel: gateway.channel,
                marks: VerifyMarks(key: try folder.webhookKey()))
        }
        let payResponder = responder.with(others: users?.responder)
        let peers = try await LightningPeers(self, payResponder, instance, metrics: metrics, logger: logger)
        let features: [(any ServiceFeature)?] = [
            AccountWatch(
                accounts: responder.accounts,
                noticeImports: { [offerKeys = folder.offerKeys] in try offerKeys.read(into: importedKeys) },
                logger: logger),
            Payers(payResponder),
            Notifications(
                try notificationProcessor(payResponder), reader: try notificationReader(), secrets: secrets,
                isOpen: configuration.webhookOpen, instance: instance.id,
                time: .seconds(configuration.notifications.deadline), wallClock: now, metrics: metrics, logger: logger),
            try settlementWebhooks(),
            replies,
            gateway,
            pushes,
            devices ?? DevicesLeftOut(),
            try notificationPages(of: devices, slots: slots),
            peers,
            try forwardingHints(),
            Administration(
                responder, ledger: ledger, backends: backends, secrets: secrets, settlement: settlement,
                peers: peers?.reporter),
        ]
        return AddressServer.Parts(
            responder: responder, backends: backends, instance: instance, ledger: ledger, ledgerClock: clock,
            adminToken: BearerToken(try folder.adminToken()), slots: slots, features: features.compactMap { $0 })
    }
}

extension CommandFailure {
    init(_ fault: SettlementFault) {
        if case .failed = fault { self.init(.unavailable, fault.reason) } else { self.init(.no, fault.reason) }
    }
}
