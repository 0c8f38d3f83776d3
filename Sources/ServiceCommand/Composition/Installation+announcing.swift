import LNURL
import ResponderCore
import Settings
import ServiceSetup
import LightningCoding
import Logging
import Contracts

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
