import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@testable import EmbeddedNode

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Moving a node's tables out of the ledger's file", .timeLimit(.minutes(2)))
struct MoveTests {
    private let fixture = NodeFixture()
    private var former: String { fixture.folder.path + "/ledger.sqlite" }
    private var path: String { fixture.databasePath }

    private static func preimage(_ number: UInt8) throws -> Preimage {
        try Preimage(Array(repeating: number, count: 32))
    }

    /// Adds an invoice to the tables of an earlier version.
    private func add(_ number: UInt8, isCancelled: Bool = false, settlement: Int64? = nil) throws {
        let connection = try Connection(path: former, access: .writing)
        try connection.migrate(to: .formerEmbeddedNode)
        let preimage = try Self.preimage(number)
        try connection.run(
            "INSERT INTO node_invoice VALUES (?1, ?2, ?3, ?4, 1000, ?5, ?6)",
            [
                .integer(Int64(number)), .blob(preimage.paymentHash.bytes), .blob(preimage.bytes),
                .text("label \(number)"), .integer(Int64(fixture.now.seconds) + 60), .integer(isCancelled ? 1 : 0),
            ])
        guard let settlement else { return }
        try connection.run(
            "INSERT INTO node_settlement VALUES (?1, ?2, 1790000000, 1001)",
            [.integer(settlement), .integer(Int64(number))])
    }

    /// The ledger's file with an open, a cancelled and a paid invoice, and a table of the ledger's own.
    private func fill() throws {
        try fillLedger()
        try add(1)
        try add(2, isCancelled: true)
        try add(3, settlement: 5)
    }

    private func fillLedger() throws {
        try Connection(path: former, access: .writing)
            .script("CREATE TABLE own (a INTEGER); INSERT INTO own VALUES (7)")
    }

    private func start() async throws -> EmbeddedBackend {
        try await fixture.start {
            $0.formerPath = former
            $0.movesTables = true
        }
    }

    private func expectAllMoved(_ node: EmbeddedBackend) async throws {
        #expect(try await node.status(of: Self.preimage(1).paymentHash) == .open)
        #expect(try await node.status(of: Self.preimage(2).paymentHash) == .cancelled)
        var settlements = node.settlements(after: nil).compactMap { try $0.get() }.makeAsyncIterator()
        #expect(
            try await settlements.next()
                == Settlement(
                    paymentHash: Self.preimage(3).paymentHash, preimage: Self.preimage(3),
                    received: Millisatoshi(1001), settledAt: UnixTime(1_790_000_000), cursor: SettlementCursor("5")))
        #expect(try await node.settle(Self.preimage(1).paymentHash, at: fixture.now).cursor == SettlementCursor("6"))
        #expect(try await node.problems() == [])
        let connection = try Connection(path: former, access: .reading)
        let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
            row throws(StorageFault) in try row.text(0)
        }
        #expect(tables == ["migration", "own"])
        #expect(try connection.first("SELECT a FROM own") { row throws(StorageFault) in try row.integer(0) } == 7)
    }

    @Test("All rows are moved with their numbers, once, and the ledger's own tables stay")
    func move() async throws {
        try fill()
        try await expectAllMoved(try await start())
        #expect(PrivateFile(path: path).modeOpenToOthers == nil)
        #expect(try await start().status(of: Self.preimage(2).paymentHash) == .cancelled)
    }

    @Test("Nodes that start at once move them once")
    func race() async throws {
        try fill()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try await start() } }
            try await group.waitForAll()
        }
        try await expectAllMoved(try await start())
    }

    @Test(
        "A process killed before the drop, or before it is durable, loses nothing",
        arguments: [false, true])
    func killed(afterDrop: Bool) async throws {
        try fill()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [former = former as String, path = path as String, afterDrop = afterDrop as Bool] in
            let moving = Schema.emptied(into: path)
            var migrations = moving.migrations
            migrations.insert(
                Schema.Migration("killed") { connection throws(StorageFault) in
                    if !afterDrop { try connection.copyNodeTables(to: path) }
                    kill(getpid(), SIGKILL)
                }, at: afterDrop ? 2 : 1)
            try Connection(path: former, access: .writing)
                .migrate(to: Schema(component: moving.component, migrations: migrations))
        }
        // What an earlier version adds before the next attempt is moved too.
        try add(4)
        let node = try await start()
        #expect(try await node.status(of: Self.preimage(4).paymentHash) == .open)
        try await expectAllMoved(node)
    }

    @Test("Nothing is dropped when the new file cannot be written")
    func unwritable() async throws {
        try fill()
        try PrivateFolder(path: path).create()
        await #expect(throws: EmbeddedFault.self) { try await start() }
        rmdir(path)
        try await expectAllMoved(try await start())
    }

    @Test(
        "An earlier version refuses the file afterwards, whether or not it had tables there", arguments: [true, false])
    func mark(hadTables: Bool) async throws {
        if hadTables { try fill() } else { _ = try Connection(path: former, access: .writing) }
        _ = try await start()
        #expect(throws: StorageFault.newerVersion(found: 2, supported: 1)) {
            try Connection(path: former, access: .writing).migrate(to: .formerEmbeddedNode)
        }
    }

    @Test("A file that never held the node's tables does not replace those of the node")
    func newLedger() async throws {
        let node = try await start()
        let hash = try await node.createInvoice(.sample()).paymentHash
        #expect(try await node.status(of: hash) == .open)
        await node.close()
        try fillLedger()
        #expect(try await start().status(of: hash) == .open)
        #expect(throws: StorageFault.newerVersion(found: 2, supported: 1)) {
            try Connection(path: former, access: .writing).migrate(to: .formerEmbeddedNode)
        }
    }

    @Test("Unless it is to move them, the node reads its tables where they are, and an earlier version goes on")
    func notMoved() async throws {
        try fill()
        let node = try await fixture.start { $0.formerPath = former }
        #expect(try await node.status(of: Self.preimage(2).paymentHash) == .cancelled)
        await #expect(throws: BackendFault.storage(StorageFault.readOnly.reason)) {
            try await node.createInvoice(.sample())
        }
        await node.close()
        #expect(!PrivateFile(path: path).exists)
        try add(4)
        try await expectAllMoved(try await start())
    }

    @Test("Without its key it moves nothing")
    func keyFirst() async throws {
        try fill()
        try PrivateFile(path: fixture.keyPath).create([])
        await #expect(throws: EmbeddedFault.malformedKey) { try await start() }
        try add(4)
        #expect(!PrivateFile(path: path).exists)
    }

    @Test("A file lost after the move is missed, and not made again, by a node that is to make none")
    func lost() async throws {
        try fill()
        await (try await start()).close()
        PrivateFile(path: path).remove()
        await #expect(throws: EmbeddedFault.databaseMissing(path)) {
            try await fixture.start {
                $0.formerPath = former
                $0.makesFiles = false
            }
        }
        #expect(!PrivateFile(path: path).exists)
    }

    @Test("A former file that cannot be read is reported, not taken for one that was emptied")
    func unreadable() async throws {
        await (try await fixture.start { _ in }).close()
        try PrivateFile(path: former).create([UInt8](repeating: 1, count: 4_096))
        await #expect {
            try await fixture.start {
                $0.formerPath = former
                $0.makesFiles = false
            }
        } throws: { fault in
            if case EmbeddedFault.storage(.corrupt) = fault { true } else { false }
        }
    }

    @Test("Where nothing can be written, the node reads its tables where they are", arguments: [true, false])
    func readOnly(isMoved: Bool) async throws {
        try fill()
        let node = try await fixture.start {
            if isMoved {
                $0.formerPath = former
                $0.movesTables = true
            }
        }
        await node.close()
        if !isMoved { PrivateFile(path: path).remove() }
        for file in [path, former, fixture.keyPath] { chmod(file, 0o444) }
        chmod(fixture.keyPath, 0o400)
        if getuid() == 0 { chown(fixture.keyPath, 65534, 65534) }
        chmod(fixture.folder.path, 0o555)
        await #expect(processExitsWith: .success) {
            [path = path as String, former = former as String, key = fixture.keyPath as String] in
            if getuid() == 0 { setuid(65534) }  // root may write everywhere
            let node = try await EmbeddedBackend(
                EmbeddedConfiguration(keyPath: key, databasePath: path, formerPath: former))
            #expect(try await node.status(of: MoveTests.preimage(2).paymentHash) == .cancelled)
            #expect(try await node.status(of: MoveTests.preimage(9).paymentHash) == nil)
        }
        chmod(fixture.folder.path, 0o700)
    }
}
