public import LightningCoding
public import Contracts
public import LNURL

/// Adds, changes and removes domains, for the admin listener, the command line and the file.
public struct DomainEditor: Sendable {
    private let ledger: any DomainLedger
    private let backends: Set<BackendName>

    /// Creates an editor.
    ///
    /// - Parameters:
    ///   - ledger: where domains are stored.
    ///   - backends: the nodes that domains may name.
    public init(ledger: any DomainLedger, backends: some Sequence<BackendName>) {
        self.ledger = ledger
        self.backends = Set(backends)
    }

    /// Adds a domain, or replaces the URL and the settings of the one of that name.
    ///
    /// - Parameter publicURL: that of the main domain is the service's own and cannot be changed here.
    public func put(at publicURL: PublicURL, _ settings: DomainSettings) async throws(DomainFault) -> Domain {
        let name = publicURL.domain
        try rethrowing(settings.check(), as: DomainFault.settings)
        if let unknown = settings.backends.first(where: { !backends.contains($0) }) {
            throw .unknownBackend(unknown, configured: backends.sorted { $0.description < $1.description })
        }
        if let alias = settings.aliases.first(where: { $0.isWildcard != name.isWildcard }) {
            throw .aliasOfOtherKind(alias)
        }
        let others = try await awaiting(await ledger.domains(), as: DomainFault.ledger)
        for other in others {
            guard other.name != name else {
                guard !other.isMain || other.publicURL == publicURL else { throw .mainURL }
                continue
            }
            let taken = Set([other.name] + other.settings.aliases)
            if let host = ([name] + settings.aliases).first(where: taken.contains) {
                throw .hostTaken(host, by: other.name)
            }
        }
        return try await awaiting(await ledger.putDomain(at: publicURL, settings), as: DomainFault.ledger)
    }

    /// Removes a domain without accounts; false when there is none of that name.
    public func remove(_ name: DomainName) async throws(DomainFault) -> Bool {
        try await awaiting(await ledger.removeDomain(name), as: DomainFault.ledger)
    }
}

/// Why a domain cannot be set up this way.
public enum DomainFault: Error, Hashable, Sendable {
    /// A setting breaks a rule.
    case settings(SettingsFault)
    /// No backend has that name; the configured ones are listed.
    case unknownBackend(BackendName, configured: [BackendName])
    /// A wildcard has wildcards as aliases, and another domain has none.
    case aliasOfOtherKind(DomainName)
    /// Another domain has that name or alias.
    case hostTaken(DomainName, by: DomainName)
    /// The URL of the main domain is the public URL of the service.
    case mainURL
    /// The ledger failed.
    case ledger(LedgerFault)
}

extension DomainFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .settings(let fault): fault.reason
        case .unknownBackend(let name, let configured):
            "no backend is called \(name); configured are: " + configured.map(\.description).joined(separator: ", ")
        case .aliasOfOtherKind(let name):
            "\(name) cannot be an alias here: a wildcard domain has wildcard aliases, and another domain has none"
        case .hostTaken(let host, let domain): "\(host) is already a name or alias of \(domain)"
        case .mainURL: "the URL of the main domain is the setting public-url, and is changed there"
        case .ledger(let fault): fault.reason
        }
    }
}
