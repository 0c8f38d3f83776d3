package import LNURL
package import LightningCoding
import Platform
package import ResponderModel

/// The ledger's accounts and domains, cached in memory, since every request needs one of each.
///
/// Unknown names are not cached, so that strangers cannot fill the memory and new accounts work at once. Changes by
/// other processes are seen after `refresh`.
package final class AccountDirectory: Sendable {
    private let ledger: any AccountLedger & DomainLedger
    private let known: Guarded<Known>

    private struct Known {
        var revision: UInt64 = 0
        /// How often it was cleared.
        var generation: UInt64 = 0
        var domains: DomainTable?
        var accounts: [AccountID: Account] = [:]
        var versions: [Version: AccountVersion] = [:]
    }

    private struct Version: Hashable {
        let account: AccountID
        let number: UInt64
    }

    private static let capacity = 50_000

    package init(ledger: any AccountLedger & DomainLedger) {
        self.ledger = ledger
        known = Guarded(Known())
    }

    /// Tells which accounts and domains are cached: one more once any has changed.
    package var generation: UInt64 { known.withLock { $0.generation } }

    package func account(named name: AccountID) async throws(LedgerFault) -> Account? {
        if let account = known.withLock({ $0.accounts[name] }) { return account }
        let before = generation
        guard let account = try await ledger.account(named: name) else { return nil }
        known.withLock { known in
            // If a refresh came in between, what was read may be outdated.
            guard known.generation == before, known.accounts.count < Self.capacity else { return }
            known.accounts[name] = account
        }
        return account
    }

    package func domains() async throws(LedgerFault) -> DomainTable {
        let (table, before) = known.withLock { ($0.domains, $0.generation) }
        if let table { return table }
        let read = DomainTable(try await ledger.domains())
        known.withLock { known in
            if known.generation == before { known.domains = read }
        }
        return read
    }

    package func version(_ number: UInt64, of account: Account) async throws(LedgerFault) -> AccountVersion? {
        if number == account.version { return account.currentVersion }
        let key = Version(account: account.id, number: number)
        if let version = known.withLock({ $0.versions[key] }) { return version }
        guard let version = try await ledger.version(number, of: account.id) else { return nil }
        known.withLock { known in
            if known.versions.count < Self.capacity { known.versions[key] = version }
        }
        return version
    }

    /// Clears the cache if any process has changed an account or a domain since.
    package func refresh() async throws(LedgerFault) {
        clear(unlessAt: try await ledger.accountsRevision())
    }

    /// Clears the cache once any process has changed an account or a domain, or imported an offer, since.
    ///
    /// - Parameter revision: what this returned last; nil returns at once.
    /// - Returns: the revision; the same one when the task was canceled.
    package func refresh(after revision: UInt64?) async throws(LedgerFault) -> UInt64 {
        let current =
            if let revision { try await ledger.accountsRevision(otherThan: revision) } else {
                try await ledger.accountsRevision()
            }
        clear(unlessAt: current)
        return current
    }

    private func clear(unlessAt revision: UInt64) {
        known.withLock { known in
            guard known.revision != revision else { return }
            known = Known(revision: revision, generation: known.generation &+ 1)
        }
    }
}

/// The domains, and which of them a host means.
package struct DomainTable: Sendable {
    /// The domain of the service's own public URL; nil before the service has first run or an account was added.
    package let main: Domain?
    private let byName: [DomainName: Domain]
    /// By the exact text of a `Host` field in its usual form: names and aliases that are no wildcards.
    private let byHost: [String: Domain]
    /// By the text after the first label, with the dot: names and aliases that are wildcards.
    private let byParent: [String: Domain]
    /// The names in wildcard domains whose own host is another domain's.
    private let atOtherHosts: [DomainName: Set<AddressName>]

    /// A table of domains with different names. A name goes before an alias.
    package init(_ domains: [Domain]) {
        main = domains.first(where: \.isMain)
        byName = Dictionary(domains.map { ($0.name, $0) }) { first, _ in first }
        let names =
            domains.map { ($0.name, $0) } + domains.flatMap { domain in domain.settings.aliases.map { ($0, domain) } }
        byHost = Dictionary(names.filter { !$0.0.isWildcard }.map { ($0.0.text, $0.1) }) { first, _ in first }
        byParent = Dictionary(
            names.filter(\.0.isWildcard).map { (String($0.0.text.dropFirst()), $0.1) }
        ) { first, _ in first }
        var atOtherHosts: [DomainName: Set<AddressName>] = [:]
        for wildcard in domains where wildcard.name.isWildcard {
            atOtherHosts[wildcard.name] = Set(names.compactMap { wildcard.owner(of: $0.0) })
        }
        self.atOtherHosts = atOtherHosts
    }

    package subscript(name: DomainName) -> Domain? { byName[name] }

    /// The domain that a host means: an exact name or alias, else a wildcard one label above; nil when there is none.
    ///
    /// While there is only the main domain and it has no wildcard, also the local machine, any address, and no host at all
    /// mean it, since a reverse proxy may not pass the payer's `Host` on. An empty table has no hosts.
    ///
    /// - Parameter host: as in a `Host` field; upper case, a final dot and the default port make no difference.
    package func reached(at host: String?) -> ReachedDomain? {
        guard let host, !host.isEmpty else { return alone }
        if let domain = byHost[host] { return ReachedDomain(domain, at: nil, host: host) }
        guard let name = try? DomainName(Self.withoutDefaultPort(host)), !name.isWildcard else { return nil }
        return exact(name.text) ?? below(name.text) ?? (Self.isLocal(name) ? alone : nil)
    }

    /// Whether a URL is at a host of these domains, by its name alone.
    package func isOwnHost(of url: HTTPURL) -> Bool {
        guard let name = try? DomainName(Self.withoutDefaultPort(url.authority)), !name.isWildcard else { return false }
        return exact(name.text) != nil || below(name.text) != nil
    }

    private var alone: ReachedDomain? {
        byName.count == 1 ? main.map { ReachedDomain($0, at: nil) } : nil
    }

    private func exact(_ name: String) -> ReachedDomain? {
        byHost[name].map { ReachedDomain($0, at: nil, host: name) }
    }

    /// The names that nobody can have in a domain, since their own host is another domain's.
    package func namesAtOtherHosts(of domain: Domain) -> Set<AddressName> { atOtherHosts[domain.name] ?? [] }

    private func below(_ name: String) -> ReachedDomain? {
        guard !byParent.isEmpty, let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")),
            let domain = byParent[String(name[dot...])]
        else { return nil }
        return ReachedDomain(domain, at: String(name[..<dot]), host: name)
    }

    /// The default port of either scheme: it is unknown which one the payer used.
    private static func withoutDefaultPort(_ host: String) -> Substring {
        for port in [":443", ":80"] where host.hasSuffix(port) { return host.dropLast(port.count) }
        return host[...]
    }

    private static func isLocal(_ name: DomainName) -> Bool {
        (try? HTTPURL("http://\(name)")).map { $0.isLoopback || $0.isAddress } ?? false
    }
}

/// A domain, as reached at a host.
package struct ReachedDomain: Sendable {
    package let domain: Domain
    /// The host; the name of the domain where any host reaches it.
    package let host: String
    /// The account whose own host it is, in a wildcard domain.
    private let owner: AddressName?

    /// - Parameters:
    ///   - label: the first label of the host, when it is below a wildcard.
    ///   - host: nil when any host reaches the domain.
    init(_ domain: Domain, at label: String?, host: String? = nil) {
        self.domain = domain
        self.host = host ?? domain.name.text
        owner = domain.name.isWildcard ? label.flatMap { try? AddressName($0) } : nil
    }

    /// Whom a path at this host names; nil for a name that nobody can have: an account's own host has only `_`.
    package func recipient(_ named: PayPaths.Recipient) -> Recipient? {
        switch named {
        case .key(let key): return .key(RegistrationID(key, at: domain.name))
        case .name(let localPart):
            guard domain.name.isWildcard else { return .name(localPart, at: domain.name) }
            guard let owner, localPart.name == .root else { return nil }
            return .name(localPart.renamed(owner), at: domain.name)
        }
    }
}
