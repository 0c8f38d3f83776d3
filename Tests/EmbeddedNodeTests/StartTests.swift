import EmbeddedNode
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("The start of an embedded node", .timeLimit(.minutes(2)))
struct StartTests {
    let fixture = NodeFixture()

    @Test("The first start makes a key for the owner only, later ones keep it")
    func key() async throws {
        let first = try await fixture.start()
        let contents = try PrivateFile(path: fixture.keyPath).contents(limit: 65)
        #expect(contents.count == 65)
        let second = try await fixture.start()
        #expect(try await first.nodeInfo() == second.nodeInfo())
        let key = try SecretKey(Hexadecimal.decode(String(decoding: contents.dropLast(), as: UTF8.self)))
        #expect(try await first.nodeInfo().nodeID == key.publicKey)
    }

    @Test("Nodes that start at once have one key")
    func race() async throws {
        let fixture = fixture
        let ids = try await withThrowingTaskGroup(of: PublicKey.self, returning: Set<PublicKey>.self) { group in
            for _ in 0..<8 { group.addTask { try await fixture.start().nodeInfo().nodeID } }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test("A key that others may open is refused", arguments: [0o640, 0o604, 0o644] as [mode_t])
    func wideKey(_ mode: mode_t) async throws {
        _ = try await fixture.start()
        chmod(fixture.keyPath, mode)
        await #expect(throws: EmbeddedFault.keyFile(.openToOthers(mode: UInt16(mode)))) { try await fixture.start() }
    }

    @Test(
        "A file that holds no key is refused",
        arguments: [
            "", "\n", "00", String(repeating: "0", count: 64), String(repeating: "f", count: 64),
            String(repeating: "g", count: 64), String(repeating: "1", count: 63), String(repeating: "1", count: 66),
            String(repeating: "1", count: 64) + "\n\n", " " + String(repeating: "1", count: 64),
        ]
    )
    func noKey(_ text: String) async throws {
        try PrivateFile(path: fixture.keyPath).create(text.utf8)
        await #expect(throws: EmbeddedFault.malformedKey) { try await fixture.start() }
    }

    @Test("A node that is to make no file misses its database, and does not make it again")
    func lost() async throws {
        await (try await fixture.start()).close()
        PrivateFile(path: fixture.databasePath).remove()
        await #expect(throws: EmbeddedFault.databaseMissing(fixture.databasePath)) {
            try await fixture.start { $0.makesFiles = false }
        }
        #expect(!PrivateFile(path: fixture.databasePath).exists)
    }

    @Test("Where nothing can be written, the node tells what it knows and makes no invoice")
    func readOnly() async throws {
        let node = try await fixture.start()
        let preimage = try Preimage([UInt8](repeating: 1, count: 32))
        _ = try await node.createInvoice(.sample(preimage: preimage))
        await node.close()
        chmod(fixture.databasePath, 0o444)
        chmod(fixture.keyPath, 0o400)
        if getuid() == 0 { chown(fixture.keyPath, 65534, 65534) }
        chmod(fixture.folder.path, 0o555)
        await #expect(processExitsWith: .success) {
            [path = fixture.databasePath as String, key = fixture.keyPath as String] in
            if getuid() == 0 { setuid(65534) }  // root may write everywhere
            let node = try await EmbeddedBackend(EmbeddedConfiguration(keyPath: key, databasePath: path))
            let preimage = try Preimage([UInt8](repeating: 1, count: 32))
            #expect(try await node.status(of: preimage.paymentHash) != nil)
            await #expect(throws: BackendFault.storage(StorageFault.readOnly.reason)) {
                try await node.createInvoice(.sample("another"))
            }
        }
        chmod(fixture.folder.path, 0o700)
    }

    @Test("Without randomness there is no key, and no file")
    func noRandomness() async throws {
        let configuration = EmbeddedConfiguration(keyPath: fixture.keyPath, databasePath: fixture.databasePath)
        await #expect(throws: EmbeddedFault.noRandomness) {
            try await EmbeddedBackend(
                configuration, random: { _ throws(CryptoFault) in throw .entropyUnavailable }
            )
        }
        #expect(!PrivateFile(path: fixture.keyPath).exists)
    }

    @Test("A key may be written in either case, with or without a line's end", arguments: ["", "\n"])
    func spellings(_ end: String) async throws {
        try PrivateFile(path: fixture.keyPath).create(String(repeating: "aB", count: 32).utf8 + Array(end.utf8))
        let key = try SecretKey(Array(repeating: 0xAB, count: 32))
        #expect(try await fixture.start().nodeInfo().nodeID == key.publicKey)
    }

    @Test("It lives on regtest unless told otherwise, at the configured height, with no peers")
    func nodeInfo() async throws {
        let info = try await fixture.start { $0.blockHeight = 77 }.nodeInfo()
        #expect(info.network == .regtest)
        #expect(info.blockHeight == 77)
        #expect(info.introductionPeers.isEmpty)
        #expect(try await fixture.start { $0.network = .signet }.nodeInfo().network == .signet)
    }

    @Test("Mainnet is refused unless it is allowed")
    func mainnet() async throws {
        await #expect(throws: EmbeddedFault.mainnetNotAllowed) { try await fixture.start { $0.network = .bitcoin } }
        let node = try await fixture.start {
            $0.network = .bitcoin
            $0.allowsMainnet = true
        }
        #expect(try await node.createInvoice(.sample()).bolt11.hasPrefix("lnbc2"))
    }

    @Test("Limits that leave no amount are refused")
    func limits() async throws {
        await #expect(throws: EmbeddedFault.emptyLimits) { try await fixture.start { $0.minimum = .zero } }
        await #expect(throws: EmbeddedFault.emptyLimits) {
            try await fixture.start {
                $0.minimum = Millisatoshi(2)
                $0.maximum = Millisatoshi(1)
            }
        }
    }

    @Test("Tables from a newer version are refused")
    func newerVersion() async throws {
        _ = try await fixture.start()
        try Connection(path: fixture.databasePath, access: .writing)
            .script("INSERT INTO migration (component, name) VALUES ('embedded-node', 'from the future')")
        await #expect(throws: EmbeddedFault.storage(.newerVersion(found: 2, supported: 1))) {
            try await fixture.start()
        }
    }

    @Test("It can do all that a backend can be asked for")
    func capabilities() async throws {
        let capabilities = try await fixture.start().capabilities
        #expect(
            capabilities
                == BackendCapabilities(
                    precision: .millisatoshi, acceptsPreimage: true, cancels: true, offers: .builtHere
                )
        )
    }
}
