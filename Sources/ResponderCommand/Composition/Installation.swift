import AddressService
import EmbeddedNode
import LightningCoding
import LightningCrypto
import Receiving
import Responding
import SQLiteLedger
import SQLiteStorage

/// What every command works on: the data folder with its ledger open, and the nodes behind it.
struct Installation: Sendable {
    var configuration: ServiceConfiguration
    let folder: DataFolder
    let ledger: LedgerDatabase
    let node: EmbeddedBackend

    /// Opens the installation for the service and makes what is missing: folder, ledger, keys.
    static func openToServe(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        let folder = DataFolder(path: configuration.dataDirectory)
        try folder.create()
        return try await Installation(configuration, folder)
    }

    /// Opens the installation for a command, and makes what is missing: addresses are those that the service gives out.
    static func openOrMake(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        var installation = try await openToServe(configuration)
        try await installation.adoptPublicURL()
        return installation
    }

    /// Opens an installation that is there.
    static func open(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        _ = try DataFolder.used(by: configuration)
        return try await openOrMake(configuration)
    }

    /// Opens an installation of which nothing is missing, and makes nothing but the ledger's newest tables.
    static func openComplete(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        try await Installation(configuration, DataFolder.used(by: configuration))
    }

    private init(_ configuration: ServiceConfiguration, _ folder: DataFolder) async throws(CommandFailure) {
        self.configuration = configuration
        self.folder = folder
        ledger = try await folder.openLedger()
        try folder.readKeys()
        do {
            node = try await EmbeddedBackend(configuration.embedded(in: folder), in: ledger.database)
        } catch {
            throw CommandFailure(error, keyAt: folder.embeddedNodeKey)
        }
    }

    var backends: [BackendName: any ReceiveBackend] { [.embedded: node] }

    /// Adds and changes accounts.
    var editor: AccountEditor {
        AccountEditor(
            ledger: ledger,
            publicURL: configuration.publicURL,
            capabilities: backends.mapValues(\.capabilities)
        )
    }

    /// Settles invoices of the embedded node, the only one that can be told to.
    var settlement: SettlementOnCommand {
        SettlementOnCommand(backend: .embedded) { paymentHash throws(SettlementFault) in
            do throws(SettleFault) {
                try await node.settle(paymentHash, at: .now())
            } catch {
                throw SettlementFault(error)
            }
        }
    }

    /// What answers payers, and makes offers.
    func responder(importedKeys: ImportedKeys = ImportedKeys()) async throws(CommandFailure) -> Responder {
        try folder.offerKeys.read(into: importedKeys)
        let settings = ResponderSettings(
            publicURL: configuration.publicURL,
            challengeKey: try folder.challengeKey(),
            payerDataCommitment: configuration.payerDataCommitment,
            limitsLifetime: configuration.nodeLimitsMaxAge
        )
        do {
            return try await Responder(
                ledger: ledger, backends: backends, settings: settings, offers: try folder.offerIssuer(importedKeys)
            )
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.unavailable, "a node does not answer: \(error)")
        }
    }

    /// Lets forwarders in.
    func webhookSecrets() throws(CommandFailure) -> WebhookSecrets {
        WebhookSecrets(key: try folder.webhookKey())
    }

    /// Everything that the service runs on.
    func serviceParts() async throws(CommandFailure) -> AddressServer.Parts {
        let importedKeys = ImportedKeys()
        return AddressServer.Parts(
            responder: try await responder(importedKeys: importedKeys),
            backends: backends,
            settlement: settlement,
            webhookSecrets: try webhookSecrets(),
            noticeImports: { [offerKeys = folder.offerKeys] in try offerKeys.read(into: importedKeys) },
            adminToken: AdminToken(try folder.adminToken()),
            ledgerActivity: { [database = ledger.database] in LedgerActivity(database.commitStatistics) }
        )
    }
}

extension DataFolder {
    /// The folder of an installation that is there, in which no key is made.
    static func used(by configuration: ServiceConfiguration) throws(CommandFailure) -> DataFolder {
        let folder = DataFolder(path: configuration.dataDirectory, makesKeys: false)
        guard folder.hasLedger else {
            throw CommandFailure(
                .noInput,
                "\(folder.path) holds no ledger; `serve` or `account add` makes one, --data-directory names another"
            )
        }
        return folder
    }

    func openLedger() async throws(CommandFailure) -> LedgerDatabase {
        do {
            return try await LedgerDatabase.open(at: ledger)
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension ServiceConfiguration {
    func embedded(in folder: DataFolder) -> EmbeddedConfiguration {
        EmbeddedConfiguration(
            keyPath: folder.embeddedNodeKey,
            makesKey: folder.makesKeys,
            network: embedded.network,
            allowsMainnet: embedded.allowMainnet
        )
    }

    /// How the service meets the network.
    var service: ServiceSettings {
        ServiceSettings(listen: listen, adminListen: adminListen, infoMaxAge: infoMaxAge, limits: limits)
    }
}

extension LedgerActivity {
    fileprivate init(_ statistics: CommitStatistics) {
        self.init(
            commits: statistics.commits,
            writes: statistics.writes,
            seconds: statistics.time / .seconds(1),
            longest: statistics.longest / .seconds(1)
        )
    }
}

extension SettlementFault {
    fileprivate init(_ fault: SettleFault) {
        self =
            switch fault {
            case .unknown: .unknown
            case .alreadySettled: .alreadySettled
            case .cancelled: .cancelled
            case .expired: .expired
            case .amountNotAccepted: .failed("the amount is not accepted")
            case .storage(let fault): .failed("\(fault)")
            }
    }
}

extension DataFolder {
    /// Makes offers, and knows its own again.
    func offerIssuer(_ importedKeys: ImportedKeys) throws(CommandFailure) -> OfferIssuer {
        let seed: OfferSeed
        do {
            seed = try OfferSeed(try offerSeed())
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.data, "the offer seed has another length")
        }
        return OfferIssuer(seed: seed, nodeKey: try responderKey(), importedKeys: importedKeys)
    }
}
