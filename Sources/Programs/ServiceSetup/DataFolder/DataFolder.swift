package import ResponderModel
import LightningCoding
package import LightningCrypto
package import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The folder that holds everything that must not be lost: the ledger and every key.
package struct DataFolder: Sendable {
    package let path: String
    /// Whether a missing key is created; else it is a failure.
    package var makesKeys: Bool
    /// The embedded node's database, where it is elsewhere.
    package var sharedNode: String?
    var user = geteuid()

    package init(path: String, makesKeys: Bool = true, sharedNode: String? = nil) {
        self.path = path
        self.makesKeys = makesKeys
        self.sharedNode = sharedNode
    }

    package static let ledgerName = "ledger.sqlite"
    static let lockName = "serve.lock"
    package static let embeddedNodeName = "embedded-node.sqlite"
    /// The random bytes of a new token, and the fewest characters of one chosen by the operator.
    private static let tokenCount = 32

    package var ledger: String { path + "/" + Self.ledgerName }
    package var embeddedNode: String { sharedNode ?? path + "/" + Self.embeddedNodeName }
    package var embeddedNodeKey: String { path + "/embedded-node.key" }

    /// Whether an embedded node has ever run here.
    package var hasEmbeddedNode: Bool { PrivateFile(path: embeddedNodeKey).exists }

    package var offerKeys: OfferKeyFolder { OfferKeyFolder(path: path + "/" + OfferKeyFolder.name) }

    package var serviceLock: String { path + "/" + Self.lockName }

    /// The latest timeline of the PostgreSQL server that was seen.
    package var ledgerHistory: String { path + "/postgresql.timeline" }

    private var challengeKeyFile: PrivateFile { PrivateFile(path: path + "/challenge.key") }
    private var webhookKeyFile: PrivateFile { PrivateFile(path: path + "/webhook.key") }
    private var offerSeedFile: PrivateFile { PrivateFile(path: path + "/offer-seed.key") }
    private var responderKeyFile: PrivateFile { PrivateFile(path: path + "/responder.key") }
    private var adminTokenFile: PrivateFile { PrivateFile(path: path + "/admin.token") }

    var missingOfferSeed: String? { offerSeedFile.exists ? nil : offerSeedFile.path }

    package var hasLedger: Bool { PrivateFile(path: ledger).exists }

    /// Every key and token, by its name within the folder: what a backup contains besides the ledger. The folder's own
    /// keys are required, present or not; the embedded node's only if there was such a node.
    package var keys: [(name: String, file: PrivateFile)] {
        get throws(CommandFailure) {
            let node = PrivateFile(path: embeddedNodeKey)
            let single = [challengeKeyFile, webhookKeyFile, offerSeedFile, responderKeyFile, adminTokenFile]
            return ((hasEmbeddedNode ? [node] : []) + single + (try offerKeys.files().map(\.file))).map {
                (String($0.path.dropFirst(path.count + 1)), $0)
            }
        }
    }

    /// Reads every key that no node reads itself, so that all exist from the start.
    package func readKeys() throws(CommandFailure) {
        _ = try challengeKey()
        _ = try webhookKey()
        _ = try offerSeed()
        _ = try responderKey()
        _ = try adminToken()
    }

    /// Refuses the folder of another user. Root could use it, but the service could not read the keys that root makes in it.
    package func requireOwner() throws(CommandFailure) {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_uid != user else { return }
        let (owner, name) = (Self.name(of: facts.st_uid), Self.name(of: user))
        throw CommandFailure(
            .permission,
            facts.st_uid == 0
                ? "\(path) belongs to root, and this runs as \(name): sudo chown -R \(name) \(path)"
                : "\(path) belongs to \(owner), and this runs as \(name): put sudo -u \(owner) before the command")
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "#\(user)"
    }

    package func create() throws(CommandFailure) {
        try requireOwner()
        try rethrowing(PrivateFolder(path: path).create()) { CommandFailure($0, at: path) }
    }

    /// The key of all challenges (LUD-18), created if missing.
    package func challengeKey() throws(CommandFailure) -> SecretBytes { try key(in: challengeKeyFile) }

    /// The key of all webhook secrets, created if missing.
    package func webhookKey() throws(CommandFailure) -> SecretBytes { try key(in: webhookKeyFile) }

    /// The seed of offers, created if missing.
    package func offerSeed() throws(CommandFailure) -> SecretBytes { try key(in: offerSeedFile) }

    /// The key at which offer paths end: the responder's own node key, created if missing.
    package func responderKey() throws(CommandFailure) -> SecretKey { try nodeKey(in: responderKeyFile) }

    /// The key with which the embedded node signs its invoices, created if missing.
    func embeddedKey() throws(CommandFailure) -> SecretKey { try nodeKey(in: PrivateFile(path: embeddedNodeKey)) }

    private func nodeKey(in file: PrivateFile) throws(CommandFailure) -> SecretKey {
        let text = try contents(of: file, limit: SecretKeyText.maximumCount) { () throws(CryptoFault) in
            SecretKeyText.bytes(of: try SecretKey(random: SystemRandom.bytes))
        }
        return try SecretKeyText.key(in: text, of: file)
    }

    /// Of the keys that every instance of the service on one ledger needs. Whoever has others would refuse what another
    /// instance has given out.
    package func keysFingerprint() throws(CommandFailure) -> KeysFingerprint {
        let node = try responderKey().withBytes { SecretBytes($0) }
        return KeysFingerprint(of: [try challengeKey(), try webhookKey(), try offerSeed(), node])
    }

    private func key(in file: PrivateFile) throws(CommandFailure) -> SecretBytes {
        let bytes = try contents(of: file, limit: 32) { () throws(CryptoFault) in try SystemRandom.bytes(32) }
        guard bytes.count == 32 else { throw CommandFailure(.data, "\(file.path): such a key has 32 bytes") }
        return SecretBytes(bytes)
    }

    /// The operator's token, created if missing: 64 hexadecimal digits.
    package func adminToken() throws(CommandFailure) -> [UInt8] {
        let text = try contents(of: adminTokenFile, limit: 1_024) { () throws(CryptoFault) in
            Array(Hexadecimal.encode(try SystemRandom.bytes(Self.tokenCount)).utf8) + [0x0A]
        }
        return try Self.token(text, from: adminTokenFile.path)
    }

    /// The token in a file that an operator may have written.
    package static func token(_ text: [UInt8], from path: String) throws(CommandFailure) -> [UInt8] {
        let token = text.filter { $0 > 0x20 }
        guard token.count >= tokenCount else {
            throw CommandFailure(.data, "\(path): the token has fewer than \(tokenCount) characters")
        }
        return token
    }

    /// When several processes start at once, one creates the file and all read it.
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
        let new = try rethrowing(make(), as: CommandFailure(.unavailable, "the system has no random bytes"))
        do {
            try file.create(new)
            return new
        } catch {
            guard error == .exists else { throw CommandFailure(error, at: file.path) }
        }
        return try rethrowing(file.contents(limit: limit)) { CommandFailure($0, at: file.path) }
    }

    /// Private files (databases, keys, token) that others than the owner may open, as text.
    package var openToOthers: [String] {
        get throws(CommandFailure) {
            let databases = [ledger, embeddedNode].flatMap { path in
                ["", "-wal", "-shm"].map { PrivateFile(path: path + $0) }
            }
            let files = databases + (try keys.map(\.file))
            return files.flatMap { file in
                file.modeOpenToOthers.map { CommandFailure(.openToOthers(mode: $0), at: file.path).reasons } ?? []
            }
        }
    }

    /// What may be in a folder that holds no data.
    package static let namesOfEmpty: Set<String> = ["lost+found", lockName]

    /// Whether restoring a backup here would lose nothing. The folder `lost+found` belongs to a mount point; a
    /// lock is left by whoever has looked for a service.
    package var isEmptyOrMissing: Bool {
        do {
            return try PrivateFolder(path: path).names().allSatisfy { Self.namesOfEmpty.contains($0) }
        } catch {
            return error == .notFound
        }
    }
}

extension CommandFailure {
    package init(missingKey path: String) {
        self.init(.data, "\(path): the key is missing")
    }
}
