package import CoreMetrics
package import Logging
package import Registrations
package import ResponderCore
package import ServiceLifecycle

/// Accepts notifications, and answers them.
package struct Notifications: ServiceFeature {
    private let intake: NotificationIntake
    private let secrets: WebhookSecrets
    private let queue: NotificationQueue
    private let devices: DeviceResponder?
    private let observer: NotificationObserver
    private let logger: Logger

    /// - Parameters:
    ///   - secrets: derives the accounts' webhook secrets.
    ///   - limits: how many are processed at once.
    ///   - devices: answers requests for the offers of app users; nil when there are none.
    package init(
        _ intake: NotificationIntake, secrets: WebhookSecrets,
        limits: NotificationQueueLimits = NotificationQueueLimits(), devices: DeviceResponder? = nil,
        metrics: any MetricsFactory, logger: Logger
    ) {
        self.init(
            intake, secrets: secrets, queue: NotificationQueue(limits: limits, metrics: metrics), devices: devices,
            metrics: metrics, logger: logger)
    }

    init(
        _ intake: NotificationIntake, secrets: WebhookSecrets, queue: NotificationQueue,
        devices: DeviceResponder? = nil, metrics: any MetricsFactory, logger: Logger
    ) {
        self.intake = intake
        self.secrets = secrets
        self.queue = queue
        self.devices = devices
        self.logger = logger
        observer = NotificationObserver(metrics: metrics)
    }

    package func addRoutes(to router: PublicRouter) {
        NotificationRoutes(
            intake, secrets: secrets, hosts: router.hosts, admission: router.admission, queue: queue,
            metrics: router.metrics, devices: devices
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
