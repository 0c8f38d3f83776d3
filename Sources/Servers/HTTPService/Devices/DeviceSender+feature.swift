package import Devices
package import ResponderCore

extension DeviceSender: ServiceFeature {
    package func addRoutes(to router: PublicRouter) {
        DeviceRoutes(self, admission: router.admission, metrics: router.metrics).add(to: router.router)
    }

    package func addAdminRoutes(to router: AdminRouter) {
        DeviceAdminRoutes(ledger: ledger, center: center).add(to: router)
    }

    package var outboxHandlers: [any OutboxHandler] { Self.outboxHandlers(self) }

    package var upkeep: [UpkeepTask] {
        [
            .removingMessages(ledger),
            UpkeepTask(every: .seconds(10), needsSteadyClock: false, warning: "devices not woken to catch up") { _, _ in
                try await wakeForCatchUp()
            },
        ]
    }
}

/// Stands for devices where no provider of push messages is configured: what they were to be told is dropped.
package struct DevicesLeftOut: ServiceFeature {
    package init() {}

    package func addRoutes(to router: PublicRouter) {}

    package var outboxHandlers: [any OutboxHandler] { DeviceSender.outboxHandlers(nil) }
}
