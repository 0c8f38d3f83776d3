package import EmbeddedNode
package import LNURL
package import LightningCoding
package import Platform
package import ResponderCore
package import ResponderModel

/// What every command works on: the data folder, its open ledger, and the nodes.
package struct Installation: Sendable {
    package var configuration: ServiceConfiguration
    /// The URL that the main domain had when the service chose its own; nil when there was none.
    package internal(set) var formerURL: PublicURL?
    package let folder: DataFolder
    package let ledger: any Ledger
    package let clock: LedgerClock
    /// The node without a network; nil when only others are configured.
    package let embedded: EmbeddedBackend?
    package let backends: [BackendName: any ReceiveBackend]

    /// Opens the installation for the service, which holds its lock, and creates what is missing: folder, ledger, keys.
    /// Waits for a ledger that is not there yet: after a failure of the power its server may start later.
    ///
    /// - Parameter warn: is told once that it waits, and why.
    package static func openToServe(
        _ configuration: ServiceConfiguration, clock: MonotonicClock = .system, warn: (String) -> Void = { _ in }
    ) async throws(CommandFailure) -> Installation {
        let folder = DataFolder(of: configuration)
        try folder.create()
        let ledger = try await CommandFailure.asking(
            await configuration.ledgerKind.open(in: folder, within: ledgerTime, clock, warn))
        var installation = try await Installation(configuration, folder, ledger)
        do {
            try await folder.requireImportedKeys(ledger)
            try await installation.choosePublicURL()
        } catch {
            await installation.close()
            throw error
        }
        return installation
    }

    /// Opens the installation for a command, creates what is missing, and uses the service's public URL.
    package static func openOrMake(
        _ configuration: ServiceConfiguration
    ) async throws(CommandFailure) -> Installation {
        let folder = DataFolder(of: configuration)
        try folder.create()
        var installation = try await Installation(configuration, folder, for: .writing)
        try await installation.adoptPublicURL(for: .writing)
        return installation
    }

    /// How long the service waits for its ledger: as long as systemd waits for a start.
    static let ledgerTime = Duration.seconds(90)

    package static func open(
        _ configuration: ServiceConfiguration
    ) async throws(CommandFailure) -> Installation {
        _ = try DataFolder.used(by: configuration)
        return try await openOrMake(configuration)
    }

    /// Opens a complete installation read-only: only ledger migrations are applied, and not even those when the ledger
    /// cannot be written.
    package static func openComplete(
        _ configuration: ServiceConfiguration
    ) async throws(CommandFailure) -> Installation {
        let folder = try DataFolder.used(by: configuration)
        return try await Installation(configuration, folder, for: .reading)
    }

    /// Opens an existing installation, and uses the service's public URL. Only ledger migrations are applied and missing
    /// keys created, and not even those where nothing can be written.
    package static func openToRead(
        _ configuration: ServiceConfiguration
    ) async throws(CommandFailure) -> Installation {
        _ = try DataFolder.used(by: configuration)
        let folder = DataFolder(of: configuration)
        var installation = try await Installation(configuration, folder, for: .reading)
        try await installation.adoptPublicURL(for: .reading)
        return installation
    }

    private init(
        _ configuration: ServiceConfiguration, _ folder: DataFolder, for access: LedgerAccess
    ) async throws(CommandFailure) {
        let ledger = try await configuration.openLedger(in: folder, for: access)
        try await self.init(configuration, folder, ledger)
    }

    private init(
        _ configuration: ServiceConfiguration, _ folder: DataFolder, _ ledger: any Ledger
    ) async throws(CommandFailure) {
        self.configuration = configuration
        self.folder = folder
        self.ledger = ledger
        clock = LedgerClock(of: ledger)
        try await CommandFailure.asking(await clock.compare())
        try await folder.requireOfferSeed(ledger)
        try folder.readKeys()
        let now: WallClock = { [clock] in clock.now }
        embedded =
            configuration.embeddedName == nil ? nil : try await folder.embeddedNode(configuration, clock: now)
        var backends: [BackendName: any ReceiveBackend] = [:]
        for (name, node) in configuration.backends {
            backends[name] = try node.connect(as: name, embedded: embedded, clock: now) { [ledger] hash in
                await ledger.isUnissued(hash)
            }
        }
        self.backends = backends
    }

    package var now: WallClock { { [clock] in clock.now } }

    package func close() async {
        await ledger.close()
        await embedded?.close()
    }

    package func closing<Value>(
        after work: (Installation) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        do {
            let value = try await work(self)
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }

    /// How long its instances hold what only one may hold.
    package var leaseTerms: LeaseTerms { configuration.ledgerKind.isForOneService ? .alone : .shared }

    package var editor: AccountEditor {
        AccountEditor(
            ledger: ledger,
            backends: backends,
            clock: now
        )
    }

    package var domainEditor: DomainEditor { DomainEditor(ledger: ledger, backends: backends.keys) }

    /// Answers payers and creates offers, also with the keys of imported offers.
    ///
    /// - Parameter asksNode: whether no other process, as the service would, records settlements.
    package func responder(
        importedKeys: ImportedKeys = ImportedKeys(), asksNode: Bool = false
    ) throws(CommandFailure) -> Responder {
        try folder.offerKeys.read(into: importedKeys)
        return try responder(with: importedKeys, asksNode: asksNode)
    }

    /// With these keys of imported offers only, for what needs none.
    package func responder(
        with importedKeys: ImportedKeys, asksNode: Bool = false
    ) throws(CommandFailure) -> Responder {
        let settings = ResponderSettings(
            challengeKey: try folder.challengeKey(),
            payerDataCommitment: configuration.payerDataCommitment,
            limitsLifetime: configuration.nodeLimitsMaxAge,
            maximumOpenInvoices: configuration.maximumOpenInvoices,
            asksNode: asksNode
        )
        return Responder(
            ledger: ledger, backends: backends, settings: settings, offers: try folder.offerIssuer(importedKeys),
            clock: now)
    }
}
