package import LNURL
package import LightningCoding
package import ResponderModel

/// Adds and changes accounts, for the admin listener and the command line.
package struct AccountEditor: Sendable {
    /// The longest description, in bytes of UTF-8.
    package static let maximumText = 4_096

    private let ledger: any AccountLedger & DomainLedger
    private let backends: [BackendName: any ReceiveBackend]
    private let clock: WallClock

    package init(
        ledger: any AccountLedger & DomainLedger,
        backends: [BackendName: any ReceiveBackend],
        clock: @escaping WallClock = { .now() }
    ) {
        self.ledger = ledger
        self.backends = backends
        self.clock = clock
    }

    /// The node of a domain's accounts that name none: its first one, or the only one; nil when the settings must name one.
    package func standardBackend(of account: AccountID) async throws(AccountFault) -> BackendName? {
        let allowed = try await domain(of: account).settings.backends
        return allowed.first ?? .standard(among: backends.keys)
    }

    package func standardDescription(of account: AccountID) async throws(AccountFault) -> String {
        let domain = try await domain(of: account)
        return domain.settings.description(for: domain.address(of: account.name).text)
    }

    /// Adds an account or replaces all its settings, and builds its metadata string.
    package func put(_ account: AccountID, _ settings: AccountSettings) async throws(AccountFault) -> Account {
        try await put(account, as: { $0 }) { _ throws(AccountFault) in settings }
    }

    /// Adds an account or changes its settings, and builds its metadata string. Changes that others make at the same time
    /// are kept.
    ///
    /// - Parameters:
    ///   - failure: makes the caller's error of a fault found here.
    ///   - settings: makes the settings from the account as it is, nil when there is none; called again when others have
    ///     changed accounts or domains before it was stored.
    package func put<Failure>(
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
                return try await AccountFault.asking(
                    await ledger.putAccount(
                        named: account, settings: settings, metadata: metadata(of: account.name, in: domain, settings),
                        at: clock(), expecting: revision))
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
        for other in try await AccountFault.asking(await ledger.domains()) {
            guard let host = other.hosts.first(where: { own.contains($0.text) }) else { continue }
            return .hostTaken(host.text, by: other.name)
        }
        return nil
    }

    private func domain(of account: AccountID) async throws(AccountFault) -> Domain {
        let domain = try await AccountFault.asking(await ledger.domain(account.domain))
        guard let domain else { throw .ledger(.unknownDomain(account.domain)) }
        return domain
    }

    /// Rebuilds the metadata of accounts whose address has changed because the URL of their domain was changed. A
    /// description that is the default one of the former address becomes that of the new one.
    ///
    /// - Returns: the accounts that have a new version.
    package func renewAddresses() async throws(LedgerFault) -> [Account] {
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
            var settings = account.settings
            // The metadata have the address that was given out last.
            if let shown = try? PayMetadata(parsing: account.metadata), let former = shown.identifier ?? shown.email,
                settings.description == account.domain.settings.description(for: former)
            {
                settings.description = account.domain.settings.description(
                    for: account.domain.address(of: account.name).text)
            }
            let metadata = metadata(of: account.name, in: account.domain, settings)
            guard metadata != account.metadata else { return nil }
            do throws(LedgerFault) {
                return try await ledger.putAccount(
                    named: id, settings: settings, metadata: metadata, at: clock(), expecting: revision)
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

package enum AccountFault: LedgerFaultConvertible, Hashable, Sendable {
    case settings(SettingsFault)
    /// The description, which every wallet shows, is empty or longer than `AccountEditor.maximumText` bytes.
    case description
    case unknownBackend(BackendName, configured: [BackendName])
    case backendNotAllowed(BackendName, in: DomainName, allowed: [BackendName])
    case reserved(AccountID)
    /// In a wildcard domain a name is a label of a host name, which this one cannot be.
    case notALabel(AddressName)
    /// Another domain has the host that the account would have of its own.
    case hostTaken(String, by: DomainName)
    /// The link shown after the payment is not on the host of the account's address (LUD-09).
    case linkToOtherHost
    /// A secret for payers needs a backend that accepts our preimage (LUD-10).
    case preimageNotAccepted(BackendName)
    /// The node did not say whether it accepts our preimage.
    case backend(BackendName, BackendFault)
    case ledger(LedgerFault)
}

extension AccountFault {
    package var reason: String {
        switch self {
        case .settings(let fault): fault.reason
        case .description: "description must have 1 to \(AccountEditor.maximumText) bytes; every wallet shows it"
        case .unknownBackend(let name, let configured):
            "no backend is called \(name); configured are: "
                + configured.map(\.description).joined(separator: ", ")
        case .backendNotAllowed(let name, let domain, let allowed):
            "accounts of \(domain) may not use \(name); allowed are: "
                + allowed.map(\.description).joined(separator: ", ")
        case .reserved(let account): "\(account.name) is a reserved name of \(account.domain)"
        case .notALabel(let name):
            "\(name) cannot be a host name: in this domain a name has 1 to 63 characters of a-z 0-9 - _ and no dot"
        case .hostTaken(let host, let domain):
            "the account would have the host \(host), which is already a name or alias of \(domain)"
        case .linkToOtherHost: "successAction.url must be on the host of the account's address (LUD-09)"
        case .preimageNotAccepted(let name):
            "successAction.secret needs a backend that accepts our preimage, which \(name) does not (LUD-10)"
        case .backend(let name, let fault):
            "it is unknown whether \(name) accepts our preimage (LUD-10): \(fault.reason)"
        case .ledger(let fault): fault.reason
        }
    }
}

extension SettingsFault {
    package var reason: String {
        switch problem {
        case .notAnObject: key.isEmpty ? "the settings must be a JSON object" : "\(key) must be a JSON object"
        case .unknown: "\(key) is not an account setting"
        case .missing: "\(key) is missing"
        case .wrongType(let expected): "\(key) must be \(expected)"
        case .outOfRange(let range): "\(key) must be from \(range.lowerBound) to \(range.upperBound)"
        case .tooLong(let maximum): "\(key) has more than \(maximum) bytes"
        case .aboveMaximum: "\(key) is above the maximum"
        case .zero: "\(key) must not contain U+0000"
        case .malformed: "\(key) is malformed"
        }
    }
}
