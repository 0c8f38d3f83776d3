import LNURL
public import LightningCoding
public import Contracts

/// Adds and changes accounts, for the admin listener and the command line.
public struct AccountEditor: Sendable {
    /// The longest description, in bytes of UTF-8.
    public static let maximumText = 4_096

    private let ledger: any AccountLedger & DomainLedger
    private let backends: [BackendName: any ReceiveBackend]
    private let clock: WallClock

    /// Creates an editor.
    ///
    /// - Parameters:
    ///   - ledger: where accounts are stored.
    ///   - backends: the nodes that accounts may name.
    ///   - clock: dates the changes.
    public init(
        ledger: any AccountLedger & DomainLedger,
        backends: [BackendName: any ReceiveBackend],
        clock: @escaping WallClock = { .now() }
    ) {
        self.ledger = ledger
        self.backends = backends
        self.clock = clock
    }

    /// The node of a domain's accounts that name none: its first one, or the only one; nil when the settings must name one.
    public func standardBackend(of account: AccountID) async throws(AccountFault) -> BackendName? {
        let allowed = try await domain(of: account).settings.backends
        return allowed.first ?? .standard(among: backends.keys)
    }

    /// The default description of an account.
    public func standardDescription(of account: AccountID) async throws(AccountFault) -> String {
        let domain = try await domain(of: account)
        return domain.settings.description(for: domain.address(of: account.name))
    }

    /// Adds an account or replaces its settings, and builds its metadata string.
    public func put(_ account: AccountID, _ settings: AccountSettings) async throws(AccountFault) -> Account {
        let domain = try await domain(of: account)
        try await check(settings, of: account.name, in: domain)
        if domain.settings.reserved.contains(account.name) {
            let existing = try await awaiting(await ledger.account(named: account), as: AccountFault.ledger)
            guard existing != nil else { throw .reserved(account) }
        }
        return try await awaiting(
            await ledger.putAccount(
                named: account, settings: settings, metadata: metadata(of: account.name, in: domain, settings),
                at: clock()),
            as: AccountFault.ledger)
    }

    private func domain(of account: AccountID) async throws(AccountFault) -> Domain {
        let domain = try await awaiting(await ledger.domain(account.domain), as: AccountFault.ledger)
        guard let domain else { throw .ledger(.unknownDomain(account.domain)) }
        return domain
    }

    /// Rebuilds the metadata of accounts whose address has changed because the URL of their domain was changed.
    ///
    /// - Returns: the accounts that have a new version.
    public func renewAddresses() async throws(LedgerFault) -> [Account] {
        var renewed: [Account] = []
        for account in try await ledger.accounts() {
            let metadata = metadata(of: account.name, in: account.domain, account.settings)
            guard metadata != account.metadata else { continue }
            renewed.append(
                try await ledger.putAccount(
                    named: account.id, settings: account.settings, metadata: metadata, at: clock())
            )
        }
        return renewed
    }

    private func metadata(of name: AddressName, in domain: Domain, _ settings: AccountSettings) -> String {
        PayMetadata.build(
            for: domain.address(of: name),
            isMailbox: settings.isMailbox,
            description: settings.description,
            longDescription: settings.longDescription,
            image: settings.image
        )
    }

    /// Checks what settings alone cannot: our host and what our backends can do.
    private func check(
        _ settings: AccountSettings, of name: AddressName, in domain: Domain
    ) async throws(AccountFault) {
        try rethrowing(settings.check(), as: AccountFault.settings)
        try rethrowing(settings.requireStorable(), as: AccountFault.settings)
        guard !domain.name.isWildcard || name.isLabel else { throw .notALabel(name) }
        guard !settings.description.isEmpty,
            [settings.description, settings.longDescription ?? ""].allSatisfy({ $0.utf8.count <= Self.maximumText })
        else { throw .description }
        guard let backend = backends[settings.backend] else {
            let names = backends.keys.sorted { $0.description < $1.description }
            throw .unknownBackend(settings.backend, configured: names)
        }
        guard domain.settings.backends.isEmpty || domain.settings.backends.contains(settings.backend) else {
            throw .backendNotAllowed(settings.backend, in: domain.name, allowed: domain.settings.backends)
        }
        if case .url(let link) = settings.successAction, link.url.host != domain.base(of: name).host {
            throw .linkToOtherHost
        }
        guard settings.successAction.needsPreimage else { return }
        let capabilities = try await awaiting(
            await backend.capabilities, as: { AccountFault.backend(settings.backend, $0) })
        guard capabilities.acceptsPreimage else { throw .preimageNotAccepted(settings.backend) }
    }
}
