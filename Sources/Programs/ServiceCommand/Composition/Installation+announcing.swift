import ServiceSetup
import LNURL
import LightningCoding
import Logging
import ResponderCore
import ResponderModel

extension Installation {
    /// Publishes the configured public URL, which gives every account of the main domain a new address when it has
    /// changed, and takes over the domains of the file. Changes nothing unless all domains fit together.
    ///
    /// Instances that start at the same moment do this side by side: where one fails since another has changed the
    /// domains, it begins again from those.
    func announcePublicURL(_ logger: Logger) async throws(CommandFailure) {
        var stored = try await storedDomains()
        for _ in 1..<Self.announcements {
            do {
                return try await announcePublicURL(over: stored, logger)
            } catch {
                let present = try await storedDomains()
                guard present != stored else { throw error }
                stored = present
            }
        }
        try await announcePublicURL(over: stored, logger)
    }

    private static let announcements = 5

    private func announcePublicURL(over stored: [Domain], _ logger: Logger) async throws(CommandFailure) {
        let main = DomainName(of: configuration.publicURL)
        guard !stored.contains(where: { $0.name == main && !$0.isMain }) else {
            throw CommandFailure(LedgerFault.domainExists(main))
        }
        if let present = stored.first(where: \.isMain)?.publicURL, present != formerURL,
            present != PublicURL(configuration.publicURL)
        {
            throw CommandFailure(LedgerFault.mainDomainMoved(to: present))
        }
        let plan = DomainPlan(of: configuration, over: stored)
        for domain in plan.changed(stored) {
            try await awaiting(await domainEditor.check(domain, among: plan.domains)) { (fault: DomainFault) in
                CommandFailure(.configuration, "domains.\(domain.name): \(fault.reason)")
            }
        }
        try await put(plan.withoutLostAliases(stored))
        try await announceMainDomain(logger)
        try await put(plan.changed(stored))
    }

    /// Stores the domains that differ from what is stored, the main one first: it may give its former name away.
    private func put(_ domains: [Domain]) async throws(CommandFailure) {
        let stored = try await storedDomains()
        for domain in domains.filter(\.isMain) + domains.filter({ !$0.isMain }) where !stored.contains(domain) {
            _ = try await CommandFailure.asking(await ledger.putDomain(at: domain.publicURL, domain.settings))
        }
    }

    private func storedDomains() async throws(CommandFailure) -> [Domain] {
        try await CommandFailure.asking(await ledger.domains())
    }

    private func announceMainDomain(_ logger: Logger) async throws(CommandFailure) {
        let publicURL = configuration.publicURL
        let served = try await servedURL()
        guard served?.origin != publicURL.origin else { return }
        // Others may have started since the URL was chosen; this instance is known by now, so of two one sees the other.
        if let served { try await requireSameURL(as: served) }
        do {
            // The URL is kept last: a start that ends before is repeated in full.
            _ = try await ledger.putMainDomain(at: publicURL, replacing: formerURL)
            for account in try await editor.renewAddresses() {
                logger.info("account has a new address", metadata: ["address": "\(account.address)"])
            }
            try await ledger.keep(publicURL: publicURL)
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// The domains as they will be once the public URL and the domains of the file are taken over.
struct DomainPlan {
    let domains: [Domain]

    init(of configuration: ServiceConfiguration, over stored: [Domain]) {
        let former = stored.first(where: \.isMain)
        let url = PublicURL(configuration.publicURL)
        let file = configuration.domains
        let named = Set(file.map(\.publicURL.domain) + [url.domain])
        let others =
            stored.filter { !$0.isMain && !named.contains($0.name) }
            + file.filter { $0.publicURL.domain != url.domain }.map {
                Domain(publicURL: $0.publicURL, settings: $0.settings)
            }
        var settings = former.map { $0.settings.renamed(from: $0.name, to: url.domain) } ?? DomainSettings()
        if let former, others.contains(where: { $0.hosts.contains(former.name) }) {
            settings.aliases.removeAll { $0 == former.name }
        }
        if let entry = file.first(where: { $0.publicURL.domain == url.domain }) { settings = entry.settings }
        domains = [Domain(publicURL: url, settings: settings, isMain: true)] + others
    }

    /// Those that differ from what is stored. The others may be edited by an administrator at the same time.
    func changed(_ stored: [Domain]) -> [Domain] {
        domains.filter { !stored.contains($0) }
    }

    /// Those of the stored domains that lose aliases, which others may get, without these.
    func withoutLostAliases(_ stored: [Domain]) -> [Domain] {
        stored.compactMap { domain in
            guard let planned = domains.first(where: { domain.isMain ? $0.isMain : $0.name == domain.name }) else {
                return nil
            }
            var settings = domain.settings
            settings.aliases.removeAll { !planned.hosts.contains($0) }
            guard settings != domain.settings else { return nil }
            return Domain(publicURL: domain.publicURL, settings: settings, isMain: domain.isMain)
        }
    }
}
