package import LNURL
import LightningCoding
package import ResponderModel

/// Adds, changes and removes domains, for the admin listener, the command line and the file.
package struct DomainEditor: Sendable {
    private let ledger: any DomainLedger & AccountLedger & RegistrationLedger
    private let backends: Set<BackendName>

    package init(ledger: any DomainLedger & AccountLedger & RegistrationLedger, backends: some Sequence<BackendName>) {
        self.ledger = ledger
        self.backends = Set(backends)
    }

    /// Adds a domain, or changes the URL and the settings of the one of that name. Changes that others make at the same
    /// time are kept. The URL of the main domain is the service's own and cannot be changed here.
    ///
    /// - Parameters:
    ///   - failure: makes the caller's error of a fault found here.
    ///   - domain: makes the URL, at that name, and the settings from the domain as it is, nil when there is none; called
    ///     again when others have changed accounts or domains before it was stored.
    package func put<Failure>(
        _ name: DomainName, as failure: (DomainFault) -> Failure,
        _ domain: (Domain?) throws(Failure) -> (PublicURL, DomainSettings)
    ) async throws(Failure) -> Domain {
        for _ in 1..<AccountEditor.attempts {
            let (revision, stored) = try await awaiting(await (ledger.accountsRevision(), ledger.domains())) {
                (fault: LedgerFault) in failure(.ledger(fault))
            }
            let former = stored.first { $0.name == name }
            let (publicURL, settings) = try domain(former)
            do throws(DomainFault) {
                let isMain = former?.isMain ?? false
                guard !isMain || former?.publicURL == publicURL else { throw .mainURL }
                try await check(Domain(publicURL: publicURL, settings: settings, isMain: isMain), among: stored)
                return try await DomainFault.asking(
                    await ledger.putDomain(at: publicURL, settings, expecting: revision))
            } catch .ledger(.changedMeanwhile) {
                continue
            } catch {
                throw failure(error)
            }
        }
        throw failure(.ledger(.changedMeanwhile))
    }

    /// Adds a domain, or replaces the URL and all settings of the one of that name.
    package func put(at publicURL: PublicURL, _ settings: DomainSettings) async throws(DomainFault) -> Domain {
        try await put(publicURL.domain, as: { $0 }) { _ throws(DomainFault) in (publicURL, settings) }
    }

    /// Checks a domain before it is stored.
    ///
    /// - Parameters:
    ///   - table: all domains as they will be; the one of the same name does not count.
    package func check(_ domain: Domain, among table: [Domain]) async throws(DomainFault) {
        let base = domain.publicURL.base(of: AddressName.root.text)
        // The main domain's is a setting, with rules of its own.
        guard domain.isMain || (URLPolicy.allows(base) && base.path == "/") else { throw .unusableURL }
        try rethrowing(domain.settings.check(), as: DomainFault.settings)
        if let unknown = domain.settings.backends.first(where: { !backends.contains($0) }) {
            throw .unknownBackend(unknown, configured: backends.sorted { $0.description < $1.description })
        }
        if let alias = domain.settings.aliases.first(where: { $0.isWildcard != domain.name.isWildcard }) {
            throw .aliasOfOtherKind(alias)
        }
        if let alias = domain.settings.aliases.first(where: { !$0.canBeAlias(of: domain.name) }) {
            throw .onionAlias(alias)
        }
        let others = table.filter { $0.name != domain.name }
        for other in others {
            if let host = domain.hosts.first(where: Set(other.hosts).contains) {
                throw .hostTaken(host, by: other.name)
            }
        }
        try await checkOwnHosts(of: domain, others)
    }

    /// No account or app user of a wildcard domain has a host that is a domain's.
    private func checkOwnHosts(of domain: Domain, _ others: [Domain]) async throws(DomainFault) {
        // A wildcard domain has only wildcards as hosts: its names can meet the other domains only.
        let (wildcards, exact) = domain.name.isWildcard ? ([domain], others) : (others, [domain])
        for host in exact.flatMap(\.hosts) {
            for wildcard in wildcards {
                guard let name = wildcard.owner(of: host) else { continue }
                let id = AccountID(name, at: wildcard.name)
                let isAccount = try await DomainFault.asking(await ledger.account(named: id)) != nil
                let registration = try await DomainFault.asking(await ledger.registration(named: id))
                if isAccount || registration != nil { throw .hostOfAccount(host, id) }
            }
        }
    }

    /// Removes a domain without accounts; false when there is none of that name.
    package func remove(_ name: DomainName) async throws(DomainFault) -> Bool {
        try await DomainFault.asking(await ledger.removeDomain(name))
    }
}

package enum DomainFault: LedgerFaultConvertible, Hashable, Sendable {
    case settings(SettingsFault)
    case unknownBackend(BackendName, configured: [BackendName])
    case aliasOfOtherKind(DomainName)
    case onionAlias(DomainName)
    case hostTaken(DomainName, by: DomainName)
    /// The URL has a path, or is http although its host is neither an onion service nor this machine.
    case unusableURL
    case hostOfAccount(DomainName, AccountID)
    case mainURL
    case ledger(LedgerFault)
}

extension DomainFault: ReadableFault {
    package var reason: String {
        switch self {
        case .settings(let fault): fault.reason
        case .unknownBackend(let name, let configured):
            "no backend is called \(name); configured are: " + configured.map(\.description).joined(separator: ", ")
        case .aliasOfOtherKind(let name):
            "\(name) cannot be an alias here: a wildcard domain has wildcard aliases, and another domain has none"
        case .onionAlias(let name):
            "\(name) cannot be an alias here: whoever pays over Tor would be sent on to a host outside of it; add it as a domain of its own"
        case .hostTaken(let host, let domain): "\(host) is already a name or alias of \(domain)"
        case .unusableURL:
            "the URL must begin with https (http is for .onion and loopback only) and must not have a path"
        case .hostOfAccount(let host, let account): "\(host) is already the own host of \(account)"
        case .mainURL: "the URL of the main domain is the setting public-url, and is changed there"
        case .ledger(let fault): fault.reason
        }
    }
}
