import Hummingbird
import LNURL
package import LightningCoding
import Logging
import ResponderCore
package import ResponderModel

extension Administration {
    /// A thousand names of each kind.
    private static let domainLimit = 400_000

    private var editor: DomainEditor { DomainEditor(ledger: ledger, backends: backends.keys) }

    /// Lists, adds, changes and removes domains.
    func addDomains(to router: AdminRouter) {
        router.add(.get, "/domains") { _, _ throws(AdminFault) in
            ["domains": .array(try await AdminFault.asking(await ledger.domains()).map(\.json))]
        }
        router.add(.get, "/domains/{name}") { _, context throws(AdminFault) in
            try await existing(context.domainName()).json
        }
        router.add(.put, "/domains/{name}") { request, context throws(AdminFault) in
            try await put(context.domainName(), request, context.logger)
        }
        router.add(.delete, "/domains/{name}") { _, context throws(AdminFault) in
            try await remove(context.domainName(), context.logger)
        }
    }

    private func existing(_ name: DomainName) async throws(AdminFault) -> Domain {
        let domain = try await AdminFault.asking(await ledger.domain(name))
        guard let domain else { throw .notFound("no domain \(name)") }
        return domain
    }

    private func put(_ name: DomainName, _ request: Request, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        var document = try await request.document(limit: Self.domainLimit)
        guard var object = document.object else { throw .badRequest("the body must be a JSON object") }
        let given = object["publicURL"]
        for key in Domain.describingKeys { object[key] = nil }
        document = .object(object)
        let settings = try rethrowing(DomainSettings(json: document)) {
            AdminFault.badRequest(($0 as SettingsFault).reason)
        }
        let domain = try await editor.put(name, as: AdminFault.init) { existing throws(AdminFault) in
            (try url(of: existing, named: name, given), settings)
        }
        try? await directory.refresh()
        logger.info("domain changed", metadata: ["domain": "\(name)"])
        return domain.json
    }

    /// The given URL, else that of the domain as it is, else https and the name.
    private func url(of domain: Domain?, named name: DomainName, _ given: JSONValue?) throws(AdminFault) -> PublicURL {
        let url: PublicURL? =
            if let given { given.string.flatMap { try? PublicURL($0) } } else {
                domain?.publicURL ?? (try? PublicURL("https://\(name)"))
            }
        guard let url, url.domain == name else { throw .badRequest("publicURL must be a URL at the host \(name)") }
        return url
    }

    private func remove(_ name: DomainName, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let isRemoved = try await awaiting(await editor.remove(name)) { (fault: DomainFault) in AdminFault(fault) }
        guard isRemoved else { throw .notFound("no domain \(name)") }
        try? await directory.refresh()
        logger.info("domain removed", metadata: ["domain": "\(name)"])
        return ["removed": .string(name.text)]
    }
}

extension Domain {
    package var json: JSONValue {
        var object: JSONObject = [
            "name": .string(name.text), "publicURL": .string(publicURL.text), "main": .bool(isMain),
        ]
        for member in settings.json.object?.members ?? [] { object.append(member.key, member.value) }
        return .object(object)
    }

    /// Members of `json` that are no settings.
    static let describingKeys = ["name", "publicURL", "main"]
}

extension ServiceContext {
    fileprivate func domainName() throws(AdminFault) -> DomainName {
        let text = try parameter("name")
        return try rethrowing(DomainName(text), as: AdminFault.badRequest("\(text) is not the name of a domain"))
    }
}

extension AdminFault {
    init(_ fault: DomainFault) {
        self =
            switch fault {
            case .ledger(.domainInUse), .ledger(.domainExists), .ledger(.hostOfAccount), .hostTaken, .hostOfAccount:
                .conflict(fault.reason)
            case .ledger: .unavailable(fault.reason)
            default: .badRequest(fault.reason)
            }
    }
}
