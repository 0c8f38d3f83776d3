import ResponderCore
import Settings
import ServiceSetup
import LightningCoding
import Logging
import Contracts

extension Installation {
    /// Publishes the configured public URL. A change gives every account a new address.
    func announcePublicURL(_ logger: Logger) async throws(CommandFailure) {
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
