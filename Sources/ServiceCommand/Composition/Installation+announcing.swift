import ResponderCore
import Settings
import ServiceSetup
import LightningCoding
import Logging
import Contracts
import SQLiteLedger

extension Installation {
    /// Publishes the configured public URL. A change gives every account a new address.
    func announcePublicURL(_ logger: Logger) async throws(CommandFailure) {
        let publicURL = configuration.publicURL
        guard try await servedURL()?.origin != publicURL.origin else { return }
        do {
            for account in try await editor.renewAddresses() {
                logger.info("account has a new address", metadata: ["address": "\(editor.address(of: account.name))"])
            }
            try await ledger.keep(publicURL: publicURL)
        } catch {
            throw CommandFailure(error)
        }
    }
}
