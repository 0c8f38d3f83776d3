package import LNURL
import LightningCoding
import ResponderCore
package import ResponderModel

extension Installation {
    /// The default settings of a new account.
    ///
    /// - Parameter backend: the node that receives; nil for the only one.
    package func standardSettings(
        of account: AccountID, at backend: BackendName? = nil
    ) async throws(CommandFailure) -> AccountSettings {
        let standard = try await awaiting(await editor.standardBackend(of: account)) { (fault: AccountFault) in
            CommandFailure(fault)
        }
        guard let backend = backend ?? standard else {
            guard !backends.isEmpty else { throw CommandFailure(.configuration, Self.noNode) }
            let names = backends.keys.map(\.description).sorted().joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "several nodes are configured: \(names); choose one: `account add \(account) --backend …`")
        }
        let description = try await awaiting(await editor.standardDescription(of: account)) { (fault: AccountFault) in
            CommandFailure(fault)
        }
        return AccountSettings(description: description, backend: backend)
    }

    private static let noNode =
        "no node is configured, and only wallets make invoices: name a node below `backends`, or set `trial`"

    /// Accounts that cannot be paid, since their node is no longer configured, as a message for the operator; nil when
    /// there are none.
    package func orphans() async throws(CommandFailure) -> String? {
        let orphans = try await CommandFailure.asking(
            await ledger.accounts().filter { backends[$0.settings.backend] == nil })
        guard let first = orphans.first else { return nil }
        let names = orphans.prefix(5).map { "\($0.label) (\($0.settings.backend))" }.joined(separator: ", ")
        let more = orphans.count > 5 ? " and \(orphans.count - 5) more" : ""
        let configured = backends.keys.map(\.description).sorted().joined(separator: ", ")
        guard !backends.isEmpty else {
            return "these accounts cannot be paid: \(names)\(more); \(Self.noNode)"
        }
        var advice = "`account set \(first.label) --backend …` moves an account to one of: \(configured)"
        if orphans.contains(where: { $0.settings.backend == .embedded }) {
            advice += "; `backends: {embedded: {kind: embedded}}` restores the embedded node"
        }
        return "these accounts cannot be paid, since their node is not configured: \(names)\(more); \(advice)"
    }
}

/// An account as typed: `alice` in the main domain, or `alice@example.org`.
package struct AccountArgument: Hashable, Sendable {
    package let name: AddressName
    /// The domain; nil for the main one.
    package let domain: DomainName?

    package init(_ text: String) throws(CommandFailure) {
        if let name = try? AddressName(text) {
            self.name = name
            domain = nil
        } else if let id = try? AccountID(text) {
            name = id.name
            domain = id.domain
        } else {
            throw CommandFailure(
                .usage,
                "\(text) is not a valid name: it must have 1 to \(AddressName.maximumCount) characters of a-z 0-9 - _ . "
                    + "and may be followed by @ and a domain"
            )
        }
    }

    package func id(main: DomainName) -> AccountID { AccountID(name, at: domain ?? main) }
}

extension Installation {
    package func id(of account: AccountArgument) -> AccountID {
        account.id(main: DomainName(of: configuration.publicURL))
    }

    package func account(named id: AccountID) async throws(CommandFailure) -> Account? {
        try await CommandFailure.asking(await ledger.account(named: id))
    }

    package func existingAccount(named id: AccountID) async throws(CommandFailure) -> Account {
        try await account(named: id).found(or: "no account \(id)")
    }

    package func addIfMissing(_ id: AccountID) async throws(CommandFailure) -> Account {
        if let account = try await account(named: id) { return account }
        let standard = try await standardSettings(of: id)
        return try await editor.put(id, as: CommandFailure.init) { existing throws(CommandFailure) in
            existing?.settings ?? standard
        }
    }
}
