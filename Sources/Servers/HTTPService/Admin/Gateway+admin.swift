import Hummingbird
import LNURL
import LightningCoding
import Logging
package import Registrations
import ResponderCore
import ResponderModel

extension Gateway {
    /// Lists, shows and removes registrations of app users, and reserves names.
    package func addAdminRoutes(to router: AdminRouter) {
        let clock = router.clock
        router.add(.get, "/registrations") { request, _ throws(AdminFault) in try await list(request) }
        router.add(.get, "/registrations/{name}") { _, context throws(AdminFault) in
            let found = try await registration(context)
            let domain = try await AdminFault.asking(await accounts.domains())[found.id.domain]
            return found.json(forwarder: secrets.url(of: found, in: domain))
        }
        router.add(.delete, "/registrations/{name}") { request, context throws(AdminFault) in
            try await remove(request, context, at: clock())
        }
        router.add(.get, "/reserved-names") { _, _ throws(AdminFault) in
            let names = try await AdminFault.asking(await ledger.reservedNames())
            return ["reserved": .array(names.map { .string($0.text) })]
        }
        router.add(.put, "/reserved-names/{name}") { _, context throws(AdminFault) in
            let name = try await name(context)
            try await AdminFault.asking(await ledger.reserve(name, at: clock()))
            return ["reserved": .string(name.text)]
        }
        router.add(.delete, "/reserved-names/{name}") { _, context throws(AdminFault) in
            let name = try await name(context)
            guard try await AdminFault.asking(await ledger.freeName(name)) else {
                throw .notFound("the name is neither reserved nor held")
            }
            return ["freed": .string(name.text)]
        }
    }

    /// `domain`, `limit` and `after`.
    private func list(_ request: Request) async throws(AdminFault) -> JSONValue {
        let filters = try request.filters("domain")
        var query = RegistrationQuery(limit: try filters.limit, after: try filters.mark)
        query.domain = try filters["domain"].map { text throws(AdminFault) in
            try rethrowing(
                DomainName(text), as: { (fault: URLFault) in AdminFault.badRequest("domain: \(fault.reason)") })
        }
        return try await AdminFault.asking(await ledger.registrations(query)).json(as: "registrations", \.json)
    }

    /// With `hold=false` the name is free at once.
    private func remove(
        _ request: Request, _ context: ServiceContext, at now: UnixTime
    ) async throws(AdminFault) -> JSONValue {
        guard let holdsName = ["true": true, "false": false][try request.filters(named: ["hold"])["hold"] ?? "true"]
        else { throw .badRequest("hold must be true or false") }
        let found = try await registration(context)
        _ = try await AdminFault.asking(
            await ledger.removeRegistration(found.id, holdsName: holdsName, at: now))
        // Its payers wait there.
        channel.forget(found.id)
        context.logger.info("registration removed", metadata: ["domain": "\(found.id.domain)"])
        return ["removed": found.json]
    }

    /// The registration that a name or a key stands for.
    private func registration(_ context: ServiceContext) async throws(AdminFault) -> Registration {
        let text = try context.parameter("name")
        guard let main = try await AdminFault.asking(await accounts.domains()).main else { throw Self.unknown }
        guard let user = try? Recipient(text, main: main.name) else { throw Self.malformed }
        guard let found = try await AdminFault.asking(await ledger.registration(of: user)) else { throw Self.unknown }
        return found
    }

    private func name(_ context: ServiceContext) async throws(AdminFault) -> AccountID {
        guard let name = try await accounts.account(try context.parameter("name")) else {
            throw Self.malformed
        }
        return name
    }

    private static let malformed = AdminFault.badRequest("neither a name nor a key, alone or with a domain")
    private static let unknown = AdminFault.notFound("no app user has that name or key")
}
