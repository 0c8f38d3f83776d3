import Bolt12
package import EmbeddedNode
package import LightningCoding
import Platform
package import ResponderCore
package import ResponderModel

extension DataFolder {
    package init(of configuration: ServiceConfiguration, makesKeys: Bool = true) {
        self.init(
            path: configuration.dataDirectory, makesKeys: makesKeys, sharedNode: configuration.embedded.database)
    }

    /// The folder of an existing installation, in which no key is created.
    package static func used(by configuration: ServiceConfiguration) throws(CommandFailure) -> DataFolder {
        let folder = DataFolder(of: configuration, makesKeys: false)
        try folder.requireOwner()
        guard configuration.ledgerKind.exists(in: folder) else {
            throw CommandFailure(
                .noInput,
                "\(folder.path) has no ledger; create one with `serve` or `account add`, or choose another folder with --data-directory"
            )
        }
        return folder
    }

    /// Refuses to replace a lost seed: the offers in the ledger were derived from it, and would no longer be
    /// recognized.
    package func requireOfferSeed(_ ledger: any OfferLedger) async throws(CommandFailure) {
        guard let path = missingOfferSeed else { return }
        let offers = try await CommandFailure.asking(await ledger.offers(of: nil))
        guard offers.allSatisfy({ $0.origin == .node }) else { throw CommandFailure(missingKey: path) }
    }

    /// Refuses to serve without the key of an imported offer, whose payers would be told that it is unknown: another
    /// instance may have imported it.
    package func requireImportedKeys(_ ledger: any OfferLedger) async throws(CommandFailure) {
        let keys = ImportedKeys()
        try offerKeys.read(into: keys)
        for offer in try await CommandFailure.asking(await ledger.offers(of: nil))
        where offer.origin == .imported && offer.disabledAt == nil && keys[offer.offer.id] == nil {
            throw CommandFailure(
                .data,
                "\(offerKeys.path(of: offer.offer.id)): the key of an imported offer is missing; copy it from the instance that has imported the offer, or run `lightning-responder offer disable \(offer.offer.id)`"
            )
        }
    }

    package func offerIssuer(_ importedKeys: ImportedKeys) throws(CommandFailure) -> OfferIssuer {
        let seed: OfferSeed
        do {
            seed = try OfferSeed(try offerSeed())
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.data, "the offer seed has the wrong length")
        }
        return OfferIssuer(seed: seed, nodeKey: try responderKey(), importedKeys: importedKeys)
    }

    package func embeddedNode(
        _ configuration: ServiceConfiguration, clock: @escaping WallClock
    ) async throws(CommandFailure) -> EmbeddedBackend {
        let settings = EmbeddedConfiguration(
            databasePath: embeddedNode,
            makesDatabase: makesKeys,
            network: configuration.embedded.network,
            allowsMainnet: configuration.embedded.allowMainnet
        )
        let key = try embeddedKey()
        return try await awaiting(await EmbeddedBackend(settings, key: key, clock: clock)) { (fault: EmbeddedFault) in
            CommandFailure(fault)
        }
    }

    /// Copies the embedded node's invoices and payments, if there are any.
    ///
    /// - Returns: the names of the copied files.
    package func copyEmbeddedNode(into target: String) async throws(CommandFailure) -> [String] {
        guard PrivateFile(path: embeddedNode).exists else { return [] }
        try await awaiting(
            await EmbeddedBackend.copyDatabase(at: embeddedNode, to: target + "/" + Self.embeddedNodeName)
        ) { (fault: EmbeddedFault) in
            CommandFailure(fault)
        }
        return [Self.embeddedNodeName]
    }
}
