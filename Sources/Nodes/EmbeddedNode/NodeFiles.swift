import LightningCoding
import LightningCrypto
import Platform
import SQLiteLedger

/// The file of the node's tables.
struct NodeDatabase {
    let configuration: EmbeddedConfiguration

    /// Opens the file, or makes it if that is allowed. One that cannot be written is read: the node only tells what it knows.
    func open() async throws(EmbeddedFault) -> Database {
        let path = configuration.databasePath
        guard configuration.makesFiles || PrivateFile(path: path).exists else { throw .databaseMissing(path) }
        return try await awaiting(await openOrMake(path), as: EmbeddedFault.storage)
    }

    private func openOrMake(_ path: String) async throws(StorageFault) -> Database {
        let database: Database
        do {
            database = try await Database.open(at: path)
        } catch .readOnly {
            database = try await Database.openReadOnly(at: path)
        }
        try await database.migrate(to: .embeddedNode)
        return database
    }
}

/// The node's signing key, kept in a file of its own.
enum NodeKey {
    /// Reads the key, or creates a missing one if allowed. Processes that start at once get the same key.
    static func load(
        from path: String,
        orMaking makes: Bool,
        random: RandomSource
    ) throws(EmbeddedFault) -> SecretKey {
        let file = PrivateFile(path: path)
        do {
            return try read(file)
        } catch .keyFile(.notFound) where makes {
            try make(file, random: random)
            return try read(file)
        }
    }

    private static func read(_ file: PrivateFile) throws(EmbeddedFault) -> SecretKey {
        let contents: [UInt8]
        do {
            contents = try file.contents(limit: 65)
        } catch .tooLong {
            throw .malformedKey
        } catch {
            throw .keyFile(error)
        }
        let digits = contents.last == UInt8(ascii: "\n") ? contents.dropLast() : contents[...]
        guard
            let bytes = try? Hexadecimal.decode(String(decoding: digits, as: UTF8.self)),
            let key = try? SecretKey(bytes)
        else { throw .malformedKey }
        return key
    }

    private static func make(_ file: PrivateFile, random: RandomSource) throws(EmbeddedFault) {
        guard let key = try? SecretKey(random: random) else { throw .noRandomness }
        let text = key.withBytes { Hexadecimal.encode($0) } + "\n"
        do {
            try PrivateFolder(containing: file.path).create()
            try file.create(text.utf8)
        } catch .exists {
            return  // another process was quicker, and its key is the node's
        } catch {
            throw .keyFile(error)
        }
    }
}
