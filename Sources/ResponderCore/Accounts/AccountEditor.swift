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

    /// Adds an account or replaces all its settings, and builds its metadata string.
    public func put(_ account: AccountID, _ settings: AccountSettings) async throws(AccountFault) -> Account {
        try await put(account, as: { $0 }) { _ throws(AccountFault) in settings }
    }

    /// Adds an account or changes its settings, and builds its metadata string. Changes that others make at the same time
    /// are kept.
    ///
    /// - Parameters:
    ///   - account: the account's name and domain.
    ///   - failure: makes the caller's error of a fault found here.
    ///   - settings: makes the settings from the account as it is, nil when there is none; called again when others have
    ///     changed accounts or domains before it was stored.
    public func put<Failure>(
        _ account: AccountID, as failure: (AccountFault) -> Failure,
        _ settings: (Account?) throws(Failure) -> AccountSettings
    ) async throws(Failure) -> Account {
        for _ in 1..<Self.attempts {
            let (revision, existing) = try await awaiting(
                await (ledger.accountsRevision(), ledger.account(named: account))
            ) { (fault: LedgerFault) in failure(.ledger(fault)) }
            let settings = try settings(existing)
            do throws(AccountFault) {
                let domain = try await domain(of: account)
                try await check(settings, of: account.name, in: domain)
                if existing == nil, let refusal = try await refusalOfNew(account, in: domain) { throw refusal }
                return try await awaiting(
                    await ledger.putAccount(
                        named: account, settings: settings, metadata: metadata(of: account.name, in: domain, settings),
                        at: clock(), expecting: revision),
                    as: AccountFault.ledger)
            } catch .ledger(.changedMeanwhile) {
                continue
            } catch {
                throw failure(error)
            }
        }
        throw failure(.ledger(.changedMeanwhile))
    }

    /// How often a change is begun again. Each time, one of others has succeeded.
    static let attempts = 1_000

    /// Why an account of that name cannot be added; one that is there already stays.
    private func refusalOfNew(_ account: AccountID, in domain: Domain) async throws(AccountFault) -> AccountFault? {
        guard !domain.settings.reserved.contains(account.name) else { return .reserved(account) }
        let own = domain.ownHosts(of: account.name)
        guard !own.isEmpty else { return nil }
        for other in try await awaiting(await ledger.domains(), as: AccountFault.ledger) {
            guard let host = other.hosts.first(where: { own.contains($0.text) }) else { continue }
            return .hostTaken(host.text, by: other.name)
        }
        return nil
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
            if let account = try await renewAddress(of: account.id) { renewed.append(account) }
        }
        return renewed
    }

    /// Nil when its metadata already have its address.
    private func renewAddress(of id: AccountID) async throws(LedgerFault) -> Account? {
        for _ in 1..<Self.attempts {
            let revision = try await ledger.accountsRevision()
            guard let account = try await ledger.account(named: id) else { return nil }
            let metadata = metadata(of: account.name, in: account.domain, account.settings)
            guard metadata != account.metadata else { return nil }
            do throws(LedgerFault) {
                return try await ledger.putAccount(
                    named: id, settings: account.settings, metadata: metadata, at: clock(), expecting: revision)
            } catch .changedMeanwhile {
                continue
            }
        }
        throw .changedMeanwhile
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
