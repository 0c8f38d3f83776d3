package import LightningCoding
import SQLiteLedger

extension Installation {
    /// Takes over where payers reach the service: else metadata made by a command, which does not know the service's
    /// settings, would name other addresses than those that are served.
    ///
    /// - Throws: when another public URL was asked for; only the service can change it.
    package mutating func adoptPublicURL() async throws(CommandFailure) {
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

    /// Where payers reached the service when it last opened; nil when it never did.
    package func servedURL() async throws(CommandFailure) -> HTTPURL? {
        try await CommandFailure.asking(await ledger.publicURL())
    }
}
