import Settings
package import LightningCoding
import SQLiteLedger

extension Installation {
    /// Adopts the URL at which the service was last reached: otherwise a command that does not know the service's
    /// settings would write other addresses into metadata.
    ///
    /// - Throws: when another public URL was given; only the service can change it.
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

    /// The public URL when the service last opened; nil when it never did.
    package func servedURL() async throws(CommandFailure) -> HTTPURL? {
        try await CommandFailure.asking(await ledger.publicURL())
    }
}
