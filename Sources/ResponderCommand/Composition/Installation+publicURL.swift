import AddressService
import LightningCoding
import Logging
import Receiving
import SQLiteLedger

extension Installation {
    /// Takes over where payers reach the service: else metadata made by a command, which does not know the service's
    /// settings, would name other addresses than those that are served.
    ///
    /// - Throws: when another public URL was asked for; only the service can change it.
    mutating func adoptPublicURL() async throws(CommandFailure) {
        guard let served = try await servedURL(), served.origin != configuration.publicURL.origin else { return }
        guard !configuration.isPublicURLGiven else {
            throw CommandFailure(
                .configuration,
                "public-url is \(configuration.publicURL.origin), but the service on \(folder.path) gives out addresses at "
                    + "\(served.origin); leave it away here, or start `serve` with the new one first"
            )
        }
        configuration.publicURL = served
    }

    /// Makes the configured public URL the one that is given out. After a change every account has another address.
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

    private func servedURL() async throws(CommandFailure) -> HTTPURL? {
        do {
            return try await ledger.publicURL()
        } catch {
            throw CommandFailure(error)
        }
    }
}
