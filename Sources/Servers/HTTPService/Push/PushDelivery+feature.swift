package import Devices
package import ResponderCore

extension PushDelivery: ServiceFeature {
    package func addRoutes(to router: PublicRouter) {
        PushRoutes(self, admission: router.admission, metrics: router.metrics).add(to: router.router)
    }

    package var outboxHandlers: [any OutboxHandler] { [self] }

    package var upkeep: [UpkeepTask] {
        [UpkeepTask(warning: "expired push messages not deleted") { try await self.forgetExpired(under: $1) }]
    }
}
