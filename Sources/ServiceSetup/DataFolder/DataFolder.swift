import LightningCoding
package import LightningCrypto
package import Platform

/// The folder that holds everything that must not be lost: the ledger and every key.
package struct DataFolder: Sendable {
    package let path: String
    /// Whether a missing key is made; else it is a failure.
    package var makesKeys: Bool

    package init(path: String, makesKeys: Bool = true) {
        self.path = path
        self.makesKeys = makesKeys
    }

    package static let ledgerName = "ledger.sqlite"
    /// The random bytes of a new token, and the fewest characters of one that the operator has chosen.
    private static let adminTokenCount = 32

    /// The ledger, and the embedded node's invoices.
    package var ledger: String { path + "/" + Self.ledgerName }
    /// The key that signs the embedded node's invoices.
    package var embeddedNodeKey: String { path + "/embedded-node.key" }

    /// Whether the embedded node has ever run here.
    package var hasEmbeddedNode: Bool { PrivateFile(path: embeddedNodeKey).exists }

    /// The keys of offers that were made elsewhere.
    package var offerKeys: OfferKeyFolder { OfferKeyFolder(path: path + "/" + OfferKeyFolder.name) }

    /// Held by the service that runs on the folder.
    package var serviceLock: String { path + "/serve.lock" }

    private var challengeKeyFile: PrivateFile { PrivateFile(path: path + "/challenge.key") }
    private var webhookKeyFile: PrivateFile { PrivateFile(path: path + "/webhook.key") }
    private var offerSeedFile: PrivateFile { PrivateFile(path: path + "/offer-seed.key") }
    private var responderKeyFile: PrivateFile { PrivateFile(path: path + "/responder.key") }
    private var adminTokenFile: PrivateFile { PrivateFile(path: path + "/admin.token") }

    /// Where the seed of the offers should lie and does not; nil when it is there.
    var missingOfferSeed: String? { offerSeedFile.exists ? nil : offerSeedFile.path }

    /// Whether it is in use.
    package var hasLedger: Bool { PrivateFile(path: ledger).exists }

    /// Every key and token, by its name within the folder: what a backup holds beside the ledger. Those of the folder itself
    /// must be there, whether they are or not; but the embedded node's is there only where there was such a node.
    package var keys: [(name: String, file: PrivateFile)] {
        get throws(CommandFailure) {
            let node = PrivateFile(path: embeddedNodeKey)
            let single = [challengeKeyFile, webhookKeyFile, offerSeedFile, responderKeyFile, adminTokenFile]
            return ((hasEmbeddedNode ? [node] : []) + single + (try offerKeys.files().map(\.file))).map {
                (String($0.path.dropFirst(path.count + 1)), $0)
            }
        }
    }

    /// Reads every key that no node reads itself, to have them all from the first day.
    package func readKeys() throws(CommandFailure) {
        _ = try challengeKey()
        _ = try webhookKey()
        _ = try offerSeed()
        _ = try responderKey()
        _ = try adminToken()
    }

    /// Makes the folder, if it is not there.
    package func create() throws(CommandFailure) {
        do {
            try PrivateFolder(path: path).create()
        } catch {
            throw CommandFailure(error, at: path)
        }
    }

    /// The key behind every challenge (LUD-18), made when there is none.
    package func challengeKey() throws(CommandFailure) -> SecretBytes {
        try key(in: challengeKeyFile)
    }

    /// The key behind every webhook's secret, made when there is none.
    package func webhookKey() throws(CommandFailure) -> SecretBytes {
        try key(in: webhookKeyFile)
    }

    /// What offers are made from, made when there is none.
    package func offerSeed() throws(CommandFailure) -> SecretBytes {
        try key(in: offerSeedFile)
    }

    /// The key at which offer paths end: the responder's own as a node, made when there is none.
    package func responderKey() throws(CommandFailure) -> SecretKey {
        let text = try contents(of: responderKeyFile, limit: SecretKeyText.maximumCount) { () throws(CryptoFault) in
            SecretKeyText.bytes(of: try SecretKey(random: SystemRandom.bytes))
        }
        return try SecretKeyText.key(in: text, of: responderKeyFile)
    }

    private func key(in file: PrivateFile) throws(CommandFailure) -> SecretBytes {
        let bytes = try contents(of: file, limit: 32) { () throws(CryptoFault) in try SystemRandom.bytes(32) }
        guard bytes.count == 32 else { throw CommandFailure(.data, "\(file.path): such a key has 32 bytes") }
        return SecretBytes(bytes)
    }

    /// The operator's token, made when there is none: 64 hexadecimal digits.
    package func adminToken() throws(CommandFailure) -> [UInt8] {
        let text = try contents(of: adminTokenFile, limit: 1_024) { () throws(CryptoFault) in
            Array(Hexadecimal.encode(try SystemRandom.bytes(Self.adminTokenCount)).utf8) + [0x0A]
        }
        let token = text.filter { $0 > 0x20 }
        guard token.count >= Self.adminTokenCount else {
            throw CommandFailure(
                .data, "\(adminTokenFile.path): the token has fewer than \(Self.adminTokenCount) characters")
        }
        return token
    }

    /// Of several processes that start at once, one makes the file and all read it.
    private func contents(
        of file: PrivateFile,
        limit: Int,
        orNew make: () throws(CryptoFault) -> [UInt8]
    ) throws(CommandFailure) -> [UInt8] {
        do {
            return try file.contents(limit: limit)
        } catch {
            guard error == .notFound else { throw CommandFailure(error, at: file.path) }
        }
        guard makesKeys else { throw CommandFailure(missingKey: file.path) }
        let new: [UInt8]
        do {
            new = try make()
        } catch {
            throw CommandFailure(.unavailable, "the system gives no random bytes")
        }
        do {
            try file.create(new)
            return new
        } catch {
            guard error == .exists else { throw CommandFailure(error, at: file.path) }
        }
        do {
            return try file.contents(limit: limit)
        } catch {
            throw CommandFailure(error, at: file.path)
        }
    }
}

extension CommandFailure {
    /// A key that should be there is not.
    package init(missingKey path: String) {
        self.init(.data, "\(path): the key is missing")
    }
}
