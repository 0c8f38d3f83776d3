import Hummingbird
import LNURL
import LightningCoding
import Logging
import ResponderCore
import ResponderModel

extension Administration {
    /// A 100 kB picture in base64, and all texts.
    static let accountLimit = 200_000

    private var editor: AccountEditor { AccountEditor(ledger: ledger, backends: backends, clock: clock) }

    /// Lists, adds, changes and removes accounts.
    func addAccounts(to router: AdminRouter) {
        router.add(.get, "/accounts") { _, _ throws(AdminFault) in
            ["accounts": .array(try await AdminFault.asking(await ledger.accounts()).map(json))]
        }
        router.add(.get, "/accounts/{name}") { _, context throws(AdminFault) in
            try await show(account(of: context))
        }
        router.add(.put, "/accounts/{name}") { request, context throws(AdminFault) in
            try await put(account(of: context), request, context.logger)
        }
        router.add(.delete, "/accounts/{name}") { _, context throws(AdminFault) in
            try await remove(account(of: context), context.logger)
        }
    }

    private func show(_ id: AccountID) async throws(AdminFault) -> JSONValue {
        let account = try await AdminFault.asking(await ledger.account(named: id))
        guard let account else { throw .noAccount(id) }
        return json(account)
    }

    private func put(_ id: AccountID, _ request: Request, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        let settings = try await settings(in: request, for: id)
        let account = try await awaiting(await editor.put(id, settings)) { (fault: AccountFault) in
            AdminFault(fault)
        }
        await forgetCached()
        logger.info("account changed", metadata: ["account": "\(id)", "version": "\(account.version)"])
        return json(account)
    }

    private func remove(_ id: AccountID, _ logger: Logger) async throws(AdminFault) -> JSONValue {
        guard try await AdminFault.asking(await ledger.removeAccount(named: id)) else { throw .noAccount(id) }
        await forgetCached()
        logger.info("account removed", metadata: ["account": "\(id)"])
        return ["removed": .string(id.name.text), "domain": .string(id.domain.text)]
    }

    /// A missing description gets the command line's default; the read-only members of `GET` are ignored.
    private func settings(in request: Request, for id: AccountID) async throws(AdminFault) -> AccountSettings {
        var document = try await request.document(limit: Self.accountLimit)
        if var object = document.object {
            for key in Account.describingKeys { object[key] = nil }
            if object["description"]?.isNull ?? true {
                let description = try await awaiting(await editor.standardDescription(of: id)) {
                    (fault: AccountFault) in
                    AdminFault(fault)
                }
                object["description"] = .string(description)
            }
            document = .object(object)
        }
        let backend = try await awaiting(await editor.standardBackend(of: id)) { (fault: AccountFault) in
            AdminFault(fault)
        }
        return try rethrowing(AccountSettings(json: document, defaultBackend: backend)) {
            AdminFault.badRequest(($0 as SettingsFault).reason)
        }
    }

    /// The change should be visible to the next request; if this fails, it is picked up shortly afterwards anyway.
    private func forgetCached() async {
        try? await directory.refresh()
    }

    private func json(_ account: Account) -> JSONValue {
        .object(account.json(webhook: secrets.url(of: account.name, in: account.domain)))
    }

    private func account(of context: ServiceContext) async throws(AdminFault) -> AccountID {
        let id = try await directory.account(try context.parameter("name"))
        guard let id else {
            throw .badRequest(
                "a name has 1 to \(AddressName.maximumCount) characters of a-z 0-9 - _ . and may be followed by @ and a domain"
            )
        }
        return id
    }
}

extension AdminFault {
    fileprivate static func noAccount(_ id: AccountID) -> Self { .notFound("no account \(id)") }
}

extension AccountDirectory {
    /// The account that an operator names: `alice` in the main domain, or `alice@example.org`; nil when it is neither.
    func account(_ text: String) async throws(AdminFault) -> AccountID? {
        guard let main = try await AdminFault.asking(await domains()).main else {
            throw .unavailable("the service is starting; try again")
        }
        return try? AccountID(text, main: main.name)
    }

    /// The account of a list's filter; nil for all.
    func account(in filters: ListFilters) async throws(AdminFault) -> AccountID? {
        guard let text = filters["account"] else { return nil }
        guard let account = try await account(text) else {
            throw .badRequest("account must be a name, or a name and a domain: alice@example.org")
        }
        return account
    }
}
