import Registrations
package import ResponderCore

extension Gateway: ServiceFeature {
    package func addRoutes(to router: PublicRouter) { GatewayRoutes(self, router).add(to: router.router) }

    package func addAdminRoutes(to router: AdminRouter) {
        RegistrationRoutes(
            ledger: ledger, directory: accounts, secrets: secrets, channel: channel, clock: router.clock
        ).add(to: router)
    }

    package var upkeep: [UpkeepTask] { [.removingRegistrations(ledger, retention)] }

    package var descriptors: Int { WebhookPoster.maximumInFlight }
}
