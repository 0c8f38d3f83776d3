import LightningCoding
package import Settings
package import EmbeddedNode
import Contracts
package import ResponderCore
package import SQLiteLedger

extension DataFolder {
    /// The folder of an existing installation, in which no key is created.
    package static func used(by configuration: ServiceConfiguration) throws(CommandFailure) -> DataFolder {
        let folder = DataFolder(path: configuration.dataDirectory, makesKeys: false)
        guard folder.hasLedger else {
            throw CommandFailure(
                .noInput,
                "\(folder.path) holds no ledger; `serve` or `account add` makes one, --data-directory names another"
            )
        }
        return folder
    }

    /// Opens the ledger, creating it if missing.
    package func openLedger() async throws(CommandFailure) -> LedgerDatabase {
        do {
            return try await LedgerDatabase.open(at: ledger)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Opens the ledger for a read-only command: migrated when it is writable, else as it is.
    package func openLedgerToRead() async throws(CommandFailure) -> LedgerDatabase {
        do throws(LedgerFault) {
            do throws(LedgerFault) {
                return try await LedgerDatabase.open(at: ledger)
            } catch .readOnly {
                return try await LedgerDatabase.openReadOnly(at: ledger)
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Refuses to replace a lost seed: the offers in the ledger were derived from it, and would no longer be
    /// recognized.
    package func requireOfferSeed(_ ledger: LedgerDatabase) async throws(CommandFailure) {
        guard let path = missingOfferSeed else { return }
        let offers = try await CommandFailure.asking(await ledger.offers(of: nil))
        guard offers.allSatisfy({ $0.origin == .node }) else { throw CommandFailure(missingKey: path) }
    }

    /// Creates offers, and recognizes its own.
    package func offerIssuer(_ importedKeys: ImportedKeys) throws(CommandFailure) -> OfferIssuer {
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

extension DataFolder {
    /// Starts the embedded node, whose key and invoices are here.
    package func embeddedNode(
        _ configuration: ServiceConfiguration, _ ledger: LedgerDatabase
    ) async throws(CommandFailure) -> EmbeddedBackend {
        let settings = EmbeddedConfiguration(
            keyPath: embeddedNodeKey,
            makesKey: makesKeys,
            network: configuration.embedded.network,
            allowsMainnet: configuration.embedded.allowMainnet
        )
        return try await awaiting(await EmbeddedBackend(settings, in: ledger.database)) {
            CommandFailure($0, keyAt: embeddedNodeKey)
        }
    }
}
