import CoreMetrics
import EmbeddedNode
import HTTPService
import ServiceSetup
import LightningCoding
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
            do throws(SettleFault) {
                try await embedded.pay(bolt11, at: now())
            } catch {
                throw SettlementFault(error)
            }
        }
    }

    /// Authenticates forwarders.
    func webhookSecrets() throws(CommandFailure) -> WebhookSecrets {
        WebhookSecrets(key: try folder.webhookKey())
    }

    /// The components of the service.
    func serviceParts(
        _ instance: ServiceInstance, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        logger: Logger = Logger(label: "lightning-responder")
    ) async throws(CommandFailure) -> AddressServer.Parts {
        let importedKeys = ImportedKeys()
        let responder = try await responder(importedKeys: importedKeys)
        let places = SharedPlaces(configuration.service.limits.waiting)
        let replies = AwaitedReplies(shared: ledger.sharedReplies, noteFault: LostReplies(logger: logger).note)
        let (pushes, devices) = try pushes(replies: replies, places: places, metrics: metrics, logger: logger)
        let gateway = try gateway(
            responder, replies: replies, places: places, devices: devices, metrics: metrics, logger: logger)
        let directory = ResponderDirectory(standard: responder, choice: gateway?.answerer.choice)
        return AddressServer.Parts(
            responder: responder,
            directory: directory,
            backends: backends,
            settlement: settlement,
            webhookSecrets: try webhookSecrets(),
            notifications: try notificationIntake(responder, directory, instance.id),
            instance: instance,
            ledger: ledger,
            settlementWebhooks: try settlementWebhooks(),
            noticeImports: { [offerKeys = folder.offerKeys] in try offerKeys.read(into: importedKeys) },
            adminToken: BearerToken(try folder.adminToken()),
            replies: replies,
            places: places,
            gateway: gateway,
            pushes: pushes,
            devices: devices,
            pages: devices == nil ? nil : try notificationPages(messageCenter()),
            forwardingHints: try forwardingHints(),
            ledgerClock: clock
        )
    }

    /// Registrations of app users; nil when they are not wanted.
    private func gateway(
        _ responder: Responder, replies: AwaitedReplies, places: SharedPlaces, devices: DeviceSender?,
        metrics: any MetricsFactory, logger: Logger
    ) throws(CommandFailure) -> Gateway? {
        let observer = DeviceObserver(metrics: metrics, logger: logger)
        let channel = try replyChannel(
            replies: replies, places: places, report: observer.note,
            onPaid: { await devices?.noteReceived($2, of: $1, by: $0.key) })
        guard let channel else { return nil }
        return Gateway(
            answerer: DeviceResponder(
                ledger, accounts: responder.accounts, channel: channel,
                marks: VerifyMarks(key: try folder.webhookKey())),
            channel: channel, ledger: ledger, rules: registrationRules, retention: registrationRetention,
            policy: webhookPolicy, noteChange: { await devices?.noteChange(of: $0, to: $1) })
    }
}

extension Installation {
    private func notificationIntake(
        _ responder: Responder, _ directory: ResponderDirectory, _ instance: InstanceID
    ) throws(CommandFailure) -> NotificationIntake {
        NotificationIntake(
            reader: try notificationReader(),
            processor: try notificationProcessor(responder, directory: directory, asksNode: false),
            inResponse: Set(configuration.notifications.handlers.keys.filter(\.isCustom)).union([.invoiceRequest]),
            instance: instance,
            time: .seconds(configuration.notifications.deadline),
            wallClock: now,
            isOpen: configuration.webhook.open
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
            case .storage(let reason): .failed(reason)
            }
    }
}

extension CommandFailure {
    init(_ fault: SettlementFault) {
        if case .failed = fault { self.init(.unavailable, fault.reason) } else { self.init(.no, fault.reason) }
    }
}
