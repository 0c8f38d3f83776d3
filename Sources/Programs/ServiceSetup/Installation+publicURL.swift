import LNURL
package import LightningCoding
import ResponderCore
import ResponderModel

extension Installation {
    /// Adopts the URL at which the service was last reached: otherwise a command that does not know the service's
    /// settings would write other addresses into metadata. Before the service has run, it is the main domain's, which takes
    /// the configured one.
    ///
    /// - Parameter access: a command that only reads finds the main domain as it is.
    /// - Throws: when another public URL was given; only the service can change it.
    package mutating func adoptPublicURL(for access: LedgerAccess) async throws(CommandFailure) {
        guard let served = try await servedURL() else { return try await settleMainDomain(for: access) }
        guard served.origin != configuration.publicURL.origin else { return }
        guard !configuration.isPublicURLGiven else {
            throw CommandFailure(
                .configuration,
                "public-url is \(configuration.publicURL.origin), but the service on \(folder.path) gives out addresses at "
                    + "\(served.origin); omit it here, or start `serve` with the new one first"
            )
        }
        configuration.publicURL = served
    }

    /// Chooses the URL that the service will give out: without a configured one, the one it had. Only the default of a
    /// service that is alone follows `listen`.
    ///
    /// - Throws: when another public URL was given while other instances give out the present one.
    mutating func choosePublicURL() async throws(CommandFailure) {
        let main = try await CommandFailure.asking(await ledger.mainDomain())
        formerURL = main?.publicURL
        guard let known = try await servedURL() ?? main?.base(of: .root),
            known.origin != configuration.publicURL.origin
        else { return }
        let isAlone = configuration.ledgerKind.isForOneService
        guard configuration.isPublicURLGiven else {
            if !isAlone || !known.isLoopback { configuration.publicURL = known }
            return
        }
        try await requireSameURL(as: known)
    }

    /// - Throws: when running instances on a shared ledger give out another public URL than this one is to.
    package func requireSameURL(as known: HTTPURL) async throws(CommandFailure) {
        guard !configuration.ledgerKind.isForOneService else { return }
        let wanted = PublicURL(configuration.publicURL)
        // Of instances that start at the same time with the same new URL, each may find the former one still given out.
        let running = try await runningInstances().filter { $0.record.publicURL != wanted }
        guard running.isEmpty else {
            throw CommandFailure(
                .configuration,
                "public-url is \(configuration.publicURL.origin), but running instances give out addresses at \(known.origin): "
                    + running.map(\.record.id.text).joined(separator: ", ")
                    + "; omit it here, or stop all instances before it is changed")
        }
    }

    /// The instances that are not to be forgotten yet, by the ledger's clock.
    func runningInstances() async throws(CommandFailure) -> [InstanceStatus] {
        try await CommandFailure.asking(await clock.compare())
        return try await CommandFailure.asking(await ledger.instances())
            .filter { $0.isAlive(at: clock.now, within: leaseTerms.lifetime) }
    }

    private mutating func settleMainDomain(for access: LedgerAccess) async throws(CommandFailure) {
        let main = try await CommandFailure.asking(await ledger.mainDomain())
        if let main, access == .reading || !configuration.isPublicURLGiven {
            configuration.publicURL = main.base(of: .root)
        } else if access == .writing, main?.publicURL != PublicURL(configuration.publicURL) {
            _ = try await CommandFailure.asking(await ledger.putMainDomain(at: configuration.publicURL))
        }
    }

    /// The public URL when the service last opened; nil when it never did.
    package func servedURL() async throws(CommandFailure) -> HTTPURL? {
        try await CommandFailure.asking(await ledger.publicURL())
    }
}
