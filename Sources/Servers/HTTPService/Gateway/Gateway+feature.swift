import Registrations
package import ResponderCore

extension Gateway: ServiceFeature {
    /// Its paths are below those of payers: see `Payers`.
    package func addRoutes(to router: PublicRouter) {}

    package func addAdminRoutes(to router: AdminRouter) {
        RegistrationRoutes(
            ledger: ledger, directory: answerer.accounts, secrets: secrets, channel: channel, clock: router.clock
        ).add(to: router)
    }

    package var upkeep: [UpkeepTask] { [.removingRegistrations(ledger, retention)] }

    package var descriptors: Int { WebhookPoster.maximumInFlight }
}
