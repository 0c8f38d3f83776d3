package import CoreMetrics
package import Logging
package import ResponderCore
package import ServiceLifecycle

/// Accepts notifications, and answers them.
package struct Notifications: ServiceFeature {
    private let intake: NotificationIntake
    private let secrets: WebhookSecrets
    private let queue: NotificationQueue
    private let directory: ResponderDirectory
    private let observer: NotificationObserver
    private let logger: Logger

    /// - Parameters:
    ///   - secrets: derives the accounts' webhook secrets.
    ///   - limits: how many are processed at once.
    package init(
        _ intake: NotificationIntake, directory: ResponderDirectory, secrets: WebhookSecrets,
        limits: NotificationQueueLimits = NotificationQueueLimits(), metrics: any MetricsFactory, logger: Logger
    ) {
        self.init(
            intake, directory: directory, secrets: secrets, queue: NotificationQueue(limits: limits, metrics: metrics),
            metrics: metrics, logger: logger)
    }

    init(
        _ intake: NotificationIntake, directory: ResponderDirectory, secrets: WebhookSecrets, queue: NotificationQueue,
        metrics: any MetricsFactory, logger: Logger
    ) {
        self.intake = intake
        self.secrets = secrets
        self.queue = queue
        self.directory = directory
        self.logger = logger
        observer = NotificationObserver(metrics: metrics)
    }

    package func addRoutes(to router: PublicRouter) {
        NotificationRoutes(
            intake, secrets: secrets, hosts: router.hosts, admission: router.admission, queue: queue,
            metrics: router.metrics, directory: directory
        ).add(to: router.router)
    }

    /// Finishes what was accepted.
    package var services: [any Service] { [queue] }

    package var outboxHandlers: [any OutboxHandler] {
        [
            NotificationJobHandler(
                notifications: AcceptedNotifications(intake: intake, queue: queue, observer: observer), logger: logger)
        ]
    }

    /// Each of those in progress may post a reply.
    package var descriptors: Int { queue.limits.atWork }
}
