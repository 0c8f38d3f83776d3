import Hummingbird
import LNURL
import LightningCoding
import Logging
import Contracts
import ResponderCore

/// Lists, adds, changes and removes accounts.
struct AccountRoutes: Sendable {
    let ledger: any AccountLedger
    let editor: AccountEditor
    let directory: AccountDirectory
    let secrets: WebhookSecrets
    let publicURL: HTTPURL

    /// A 100 kB picture in base64, and all texts.
    static let bodyLimit = 200_000

    func add(to router: AdminRouter) {
        router.add(.get, "/accounts") { _, _ throws(AdminFault) in try await list() }
        router.add(.get, "/accounts/{name}") { _, context throws(AdminFault) in try await show(context.accountName()) }
        router.add(.put, "/accounts/{name}") { request, context throws(AdminFault) in
            try await put(context.accountName(), request, context.logger)
        }
        router.add(.delete, "/accounts/{name}") { _, context throws(AdminFault) in
            try await remove(context.accountName(), context.logger)
        }
    }

    private func list() async throws(AdminFault) -> JSONValue {
        ["accounts": .array(try await AdminFault.asking(await ledger.accounts()).map(json))]
    }

    private func show(_ name: AddressName) async throws(AdminFault) -> JSONValue {
        let account = try await AdminFault.asking(await ledger.account(named: name))
        guard let account else { throw .noAccount(name) }
        return json(account)
    }

    private func put(_ name: AddressName, _ request: Request, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let settings = try await settings(in: request, for: name)
        let account = try await awaiting(await editor.put(name, settings)) { (fault: AccountFault) in
            AdminFault(fault)
        }
        await forgetCached()
        logger.info("account changed", metadata: ["account": "\(name)", "version": "\(account.version)"])
        return json(account)
    }

    private func remove(_ name: AddressName, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        guard try await AdminFault.asking(await ledger.removeAccount(named: name)) else { throw .noAccount(name) }
        await forgetCached()
        logger.info("account removed", metadata: ["account": "\(name)"])
        return ["removed": .string(name.text)]
    }

    /// A missing description gets the command line's default; the read-only members of `GET` are ignored.
    private func settings(in request: Request, for name: AddressName) async throws(AdminFault) -> AccountSettings {
        var document = try await awaiting(await request.json(limit: Self.bodyLimit)) { (fault: BodyFault) in
            AdminFault(fault)
        }
        if var object = document.object {
            for key in Account.describingKeys { object[key] = nil }
            if object["description"]?.isNull ?? true {
                object["description"] = .string(editor.standardDescription(of: name))
            }
            document = .object(object)
        }
        return try rethrowing(AccountSettings(json: document, defaultBackend: editor.standardBackend)) {
            AdminFault.badRequest(($0 as SettingsFault).reason)
        }
    }

    /// The change should be visible to the next request; if this fails, it is picked up shortly afterwards anyway.
    private func forgetCached() async {
        try? await directory.refresh()
    }

    private func json(_ account: Account) -> JSONValue {
        .object(
            account.json(
                address: editor.address(of: account.name), webhook: secrets.url(of: account.name, at: publicURL)))
    }
}

extension ServiceContext {
    fileprivate func accountName() throws(AdminFault) -> AddressName {
        let text = try parameter("name")
        guard let name = try? AddressName(text) else {
            throw .badRequest("a name has 1 to \(AddressName.maximumCount) characters of a-z 0-9 - _ .")
        }
        return name
    }
}

extension AdminFault {
    fileprivate static func noAccount(_ name: AddressName) -> Self { .notFound("no account \(name)") }
}
