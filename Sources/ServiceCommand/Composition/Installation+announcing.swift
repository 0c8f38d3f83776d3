import LNURL
import ResponderCore
import Settings
import ServiceSetup
import LightningCoding
import Logging
import Contracts

extension Installation {
    /// Publishes the configured public URL, which gives every account of the main domain a new address when it has
    /// changed, and the domains of the file.
    func announcePublicURL(_ logger: Logger) async throws(CommandFailure) {
        try await announceMainDomain(logger)
        try await putDomains()
    }

    /// Takes over the domains of the file.
    private func putDomains() async throws(CommandFailure) {
        for domain in configuration.domains {
            let stored = try await CommandFailure.asking(await ledger.domain(domain.publicURL.domain))
            let url = stored.map { $0.isMain ? $0.publicURL : domain.publicURL } ?? domain.publicURL
            guard stored?.publicURL != url || stored?.settings != domain.settings else { continue }
            _ = try await awaiting(await domainEditor.put(at: url, domain.settings)) { (fault: DomainFault) in
                CommandFailure(.configuration, "domains.\(domain.publicURL.domain): \(fault.reason)")
            }
        }
    }

    private func announceMainDomain(_ logger: Logger) async throws(CommandFailure) {
        let publicURL = configuration.publicURL
        guard try await servedURL()?.origin != publicURL.origin else { return }
        do {
            // The URL is kept last: a start that ends before is repeated in full.
            _ = try await ledger.putMainDomain(at: publicURL)
            for account in try await editor.renewAddresses() {
                logger.info("account has a new address", metadata: ["address": "\(account.address)"])
            }
            try await ledger.keep(publicURL: publicURL)
        } catch {
            throw CommandFailure(error)
        }
    }
}
