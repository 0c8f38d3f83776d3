package import Settings
package import EmbeddedNode
package import Contracts
package import ResponderCore
package import SQLiteLedger

/// What every command works on: the data folder, its open ledger, and the nodes.
package struct Installation: Sendable {
    package var configuration: ServiceConfiguration
    package let folder: DataFolder
    package let ledger: LedgerDatabase
    /// The node without a network; nil when only others are configured.
    package let embedded: EmbeddedBackend?
    /// Every node by its name.
    package let backends: [BackendName: any ReceiveBackend]

    /// Opens the installation for the service and creates what is missing: folder, ledger, keys.
    package static func openToServe(
        _ configuration: ServiceConfiguration
    ) async throws(CommandFailure) -> Installation {
        let folder = DataFolder(path: configuration.dataDirectory)
        try folder.create()
        return try await Installation(configuration, folder, try await folder.openLedger())
    }

    /// Opens the installation for a command, creates what is missing, and uses the service's public URL.
    package static func openOrMake(
        _ configuration: ServiceConfiguration
    ) async throws(CommandFailure) -> Installation {
        var installation = try await openToServe(configuration)
        try await installation.adoptPublicURL()
        return installation
    }

    /// Opens an existing installation.
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
        return try await Installation(configuration, folder, try await folder.openLedgerToRead())
    }

    /// Opens an existing installation read-only, and uses the service's public URL.
    package static func openToRead(
        _ configuration: ServiceConfiguration
    ) async throws(CommandFailure) -> Installation {
        let folder = DataFolder(path: try DataFolder.used(by: configuration).path)
        var installation = try await Installation(configuration, folder, try await folder.openLedgerToRead())
        try await installation.adoptPublicURL()
        return installation
    }

    private init(
        _ configuration: ServiceConfiguration,
        _ folder: DataFolder,
        _ ledger: LedgerDatabase
    ) async throws(CommandFailure) {
        self.configuration = configuration
        self.folder = folder
        self.ledger = ledger
        try await folder.requireOfferSeed(ledger)
        try folder.readKeys()
        embedded = configuration.embeddedName == nil ? nil : try await folder.embeddedNode(configuration, ledger)
        var backends: [BackendName: any ReceiveBackend] = [:]
        for (name, node) in configuration.backends {
            backends[name] = try node.connect(as: name, embedded: embedded)
        }
        self.backends = backends
    }

    /// Adds and changes accounts.
    package var editor: AccountEditor {
        AccountEditor(
            ledger: ledger,
            publicURL: configuration.publicURL,
            backends: backends
        )
    }

    /// Answers payers and creates offers.
    ///
    /// - Parameter noticeMismatch: called for invoices that do not match their order.
    package func responder(
        importedKeys: ImportedKeys = ImportedKeys(),
        noticeMismatch: @escaping @Sendable (InvoiceMismatch) -> Void = { _ in }
    ) async throws(CommandFailure) -> Responder {
        try folder.offerKeys.read(into: importedKeys)
        let settings = ResponderSettings(
            publicURL: configuration.publicURL,
            challengeKey: try folder.challengeKey(),
            payerDataCommitment: configuration.payerDataCommitment,
            limitsLifetime: configuration.nodeLimitsMaxAge,
            maximumOpenInvoices: configuration.maximumOpenInvoices
        )
        return Responder(
            ledger: ledger, backends: backends, settings: settings, offers: try folder.offerIssuer(importedKeys),
            noticeMismatch: noticeMismatch
        )
    }
}
