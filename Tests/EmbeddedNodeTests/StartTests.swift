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
#else
import Darwin
#endif

@Suite("The start of an embedded node", .timeLimit(.minutes(5)))
struct StartTests {
    let fixture = NodeFixture()

    @Test("A node that is to make no file misses its database, and does not make it again")
    func lost() async throws {
        await (try await fixture.start()).close()
        PrivateFile(path: fixture.databasePath).remove()
        await #expect(throws: EmbeddedFault.databaseMissing(fixture.databasePath)) {
            try await fixture.start { $0.makesDatabase = false }
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
        chmod(fixture.folder.path, 0o555)
        await #expect(processExitsWith: .success) {
            [path = fixture.databasePath as String] in
            if getuid() == 0 { setuid(65534) }  // root may write everywhere
            let node = try await EmbeddedBackend(
                EmbeddedConfiguration(databasePath: path), key: NodeFixture.key())
            let preimage = try Preimage([UInt8](repeating: 1, count: 32))
            #expect(try await node.status(of: preimage.paymentHash) != nil)
            await #expect(throws: BackendFault.storage(LedgerFault.readOnly.reason)) {
                try await node.createInvoice(.sample("another"))
            }
        }
        chmod(fixture.folder.path, 0o700)
    }

    @Test("It lives on regtest unless told otherwise, with no peers")
    func nodeInfo() async throws {
        let info = try await fixture.start().nodeInfo()
        #expect(info.network == .regtest)
        #expect(info.blockHeight == 1_000)
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

    @Test("Tables from a newer version are refused")
    func newerVersion() async throws {
        _ = try await fixture.start()
        try Connection(path: fixture.databasePath, access: .writing)
            .script("INSERT INTO migration (component, name) VALUES ('embedded-node', 'from the future')")
        await #expect(throws: EmbeddedFault.ledger(.newerVersion(found: 2, supported: 1))) {
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
