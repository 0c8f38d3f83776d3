package import CoreMetrics
package import LightningCoding
package import Logging
package import Platform
package import ResponderCore
package import ResponderModel
package import ServiceLifecycle

/// Accepts notifications, and answers them.
package struct Notifications: ServiceFeature {
    let accepted: AcceptedNotifications
    let secrets: WebhookSecrets
    let isOpen: Bool
    let observer: NotificationObserver

    /// - Parameters:
    ///   - processor: answers them, posts the replies and records both.
    ///   - secrets: derives the accounts' webhook secrets.
    ///   - isOpen: whether `/webhook/{account}` accepts unsigned ones.
    ///   - instance: accepts them, and handles what it has accepted.
    ///   - time: how long one is valid, from its arrival.
    ///   - queue: in whose turns they are answered; nil for one of its own.
    package init(
        _ processor: NotificationProcessor, reader: NotificationReader, secrets: WebhookSecrets, isOpen: Bool,
        instance: InstanceID, time: Duration, queue: NotificationQueue? = nil, clock: MonotonicClock = .system,
        wallClock: @escaping WallClock, metrics: any MetricsFactory, logger: Logger
    ) {
        self.secrets = secrets
        self.isOpen = isOpen
        let observer = NotificationObserver(metrics: metrics)
        self.observer = observer
        accepted = AcceptedNotifications(
            reader: reader, processor: processor, queue: queue ?? NotificationQueue(report: observer.note),
            instance: instance, time: time, clock: clock, wallClock: wallClock
        ) { observer.note($0, logger) }
    }

    package func addRoutes(to router: PublicRouter) {
        NotificationRoutes(self, router).add(to: router)
    }

    /// Finishes what was accepted.
    package var services: [any Service] { [ShutdownTask { [accepted] in await accepted.queue.finish() }] }

    package var outboxHandlers: [any OutboxHandler] { [accepted] }

    /// Each of those in progress may post a reply.
    package var descriptors: Int { accepted.queue.limits.atWork }
}
