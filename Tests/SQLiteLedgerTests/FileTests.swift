import LedgerRecords
import LightningCoding
import LedgerContract
import LightningCrypto
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@testable import SQLiteLedger

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("The ledger's file", .timeLimit(.minutes(5)))
struct FileTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/data/ledger.sqlite" }

    @Test("The file and its companions are accessible to their owner only, and so is the folder created for them")
    func modes() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        for file in ["", "-wal", "-shm"] { #expect(mode(of: path + file) == 0o600) }
        #expect(mode(of: folder.path + "/data") == 0o700)
    }

    @Test("Every column is copied to other ledgers, but for those of what runs and of the file's own numbers")
    func copiedColumns() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        let found = try await ledger.database.read { connection throws(LedgerFault) in
            try connection.rows(
                """
                SELECT t.name || '.' || c.name || ' ' || lower(c.type) FROM sqlite_schema t, pragma_table_info(t.name) c
                WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT IN (
                    'instance', 'lease', 'migration', 'registration_version', 'unfinished_copy')
                    AND t.name || '.' || c.name <> 'answered_request.id'
                """
            ) { row throws(LedgerFault) in try row.text(0) }
        }
        let copied = LedgerTable.all.flatMap { table in table.columns.map { "\(table.name).\($0.name) \($0.type)" } }
        #expect(copied.sorted() == found.sorted())
    }

    @Test("Older tables that a service uses are not changed by a command, and current ones are used")
    func usedByOlder() async throws {
        try await LedgerDatabase.open(at: path).close()
        try await LedgerDatabase.open(at: path, migrating: false).close()
        let other = folder.path + "/older.sqlite"
        let older = Array(Schema.ledger.migrations.dropLast())
        let database = try await Database.open(at: other)
        try await database.migrate(to: Schema(component: "ledger", migrations: older))
        await #expect(throws: LedgerFault.usedByOlder) { try await LedgerDatabase.open(at: other, migrating: false) }
        #expect(try await database.isCurrent(Schema(component: "ledger", migrations: older)))
        try await LedgerDatabase.open(at: other).close()
    }

    @Test("A ledger from a newer version is rejected, with the found and the supported version")
    func newerVersion() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.run("INSERT INTO migration (component, name) VALUES ('ledger', 'from the future')")
        }
        let known = Schema.ledger.migrations.count
        await #expect(throws: LedgerFault.newerVersion(found: known + 1, supported: known)) {
            try await LedgerDatabase.open(at: path)
        }
    }

    @Test("A file that is not a ledger is rejected and left unchanged")
    func foreignFile() async throws {
        let text = String(repeating: "A letter, not a ledger. ", count: 50)
        let letter = folder.path + "/letter"
        let file = open(letter, O_CREAT | O_WRONLY, 0o600)
        #expect(write(file, text, text.utf8.count) == text.utf8.count)
        close(file)
        await #expect(throws: LedgerFault.corrupt("file is not a database")) {
            try await LedgerDatabase.open(at: letter)
        }
        #expect(folder.names == ["letter"])
    }

    @Test("A folder or file without write permission is rejected", arguments: ["new.sqlite", "old.sqlite"])
    func readOnly(_ name: String) async throws {
        let old = try await LedgerDatabase.open(at: folder.path + "/old.sqlite")
        await old.close()
        chmod(folder.path + "/old.sqlite", 0o444)
        chmod(folder.path, 0o555)
        await #expect(processExitsWith: .success) { [path = folder.path + "/" + name as String] in
            if getuid() == 0 { setuid(65534) }  // root may write everywhere
            await #expect(throws: LedgerFault.readOnly) { try await LedgerDatabase.open(at: path) }
        }
        chmod(folder.path, 0o700)
    }

    @Test("A probe writes, leaves nothing behind, and can be repeated")
    func probe() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        func log() -> off_t {
            var status = stat()
            return stat(path + "-wal", &status) == 0 ? status.st_size : 0
        }
        for _ in 0..<3 {
            let before = log()
            try await ledger.probe()
            #expect(log() > before)
        }
        let rows = try await ledger.database.read { connection throws(LedgerFault) in
            try connection.first("SELECT count(*) FROM used_challenge") { row throws(LedgerFault) in try row.integer(0)
            }
        }
        #expect(rows == 0)
    }

    @Test("A read-only ledger can be read, and rejects writes", arguments: ["ledger", "a?b%20#c"])
    func readOnlyLedger(name: String) async throws {
        let path = folder.path + "/" + name
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        try await ledger.record(try Sample.invoice(1), using: nil)
        await ledger.close()
        #expect(folder.names == [name])
        chmod(path, 0o444)
        chmod(folder.path, 0o555)
        await #expect(processExitsWith: .success) { [path = path as String] in
            if getuid() == 0 { setuid(65534) }  // root may write everywhere
            let ledger = try await LedgerDatabase.openReadOnly(at: path)
            #expect(try await ledger.invoice(Sample.preimage(1).paymentHash) == Sample.invoice(1))
            #expect(try await ledger.check().findings.isEmpty)
            await #expect(throws: LedgerFault.readOnly) { try await ledger.put("bob") }
        }
        chmod(folder.path, 0o700)
        #expect(folder.names == [name])
    }

    @Test("The write-ahead log of a read-only ledger is read, or the ledger is rejected")
    func readOnlyLog() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        try await ledger.record(try Sample.invoice(1), using: nil)
        let data = folder.path + "/data"
        for file in ["", "-wal", "-shm"] { chmod(path + file, 0o444) }
        for place in [data, folder.path] { chmod(place, 0o755) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            if getuid() == 0 { setuid(65534) }
            let ledger = try await LedgerDatabase.openReadOnly(at: path)
            #expect(try await ledger.invoice(Sample.preimage(1).paymentHash) == Sample.invoice(1))
        }
        // As in a copy or disk image made while the service ran: the log's index is missing.
        rename(path + "-shm", folder.path + "/index")
        await #expect(processExitsWith: .success) { [path = path as String] in
            if getuid() == 0 { setuid(65534) }
            await #expect(throws: LedgerFault.readOnly) { try await LedgerDatabase.openReadOnly(at: path) }
        }
        rename(folder.path + "/index", path + "-shm")
        await ledger.close()
    }

    @Test("An older read-only ledger is rejected: its tables cannot be migrated")
    func readOnlyOld() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.database.write { connection throws(LedgerFault) in
            try connection.run("DELETE FROM migration WHERE id = (SELECT max(id) FROM migration)")
        }
        await #expect(throws: LedgerFault.readOnly) { try await LedgerDatabase.openReadOnly(at: path) }
        await ledger.close()
    }

    @Test("Opening a missing ledger read-only does not create it")
    func readOnlyMissing() async throws {
        await #expect(throws: LedgerFault.self) { try await LedgerDatabase.openReadOnly(at: path) }
        #expect(folder.names.isEmpty)
    }

    @Test("A ledger locked by another process is busy after the wait, and unchanged afterwards")
    func locked() async throws {
        let ledger = try await LedgerDatabase.open(at: path, timeout: .milliseconds(20))
        try await ledger.put("alice")
        let other = try Connection(path: path, access: .writing)
        try other.script("BEGIN IMMEDIATE")
        await #expect(throws: LedgerFault.busy) { try await ledger.record(try Sample.invoice(1), using: nil) }
        await #expect(throws: LedgerFault.busy) { try await ledger.probe() }
        #expect(try await ledger.invoice(Sample.preimage(1).paymentHash) == nil)
        try other.script("COMMIT")
        try await ledger.record(try Sample.invoice(1), using: nil)
        #expect(try await ledger.invoice(Sample.preimage(1).paymentHash) == Sample.invoice(1))
    }

    @Test("Of two times at which the address of a removed device was woken the later is kept")
    func laterWake() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        let device = try await ledger.putDevice(1, of: 1, at: 1)
        let wake = CatchUpState(lastWake: Sample.start.adding(seconds: 30), unanswered: 1)
        #expect(try await ledger.keep(wake, of: device.id, replacing: device.catchUp))
        let later = Sample.start.adding(seconds: 60)
        try Connection(path: path, access: .writing).run(
            "INSERT INTO woken_address (digest, woken_at) VALUES (?1, ?2)",
            [.blob(Sample.address(1).digest), .integer(Int64(later.seconds))])
        #expect(try await ledger.removeDevice(device.id))
        #expect(try await ledger.putDevice(2, of: 2, at: 1).catchUp.lastWake == later)
    }

    @Test("On a full disk an invoice is rejected as a whole, and the existing data stays")
    func diskFull() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        try await ledger.record(try Sample.invoice(1), using: nil)
        try await ledger.database.write { connection throws(LedgerFault) in
            let pages = try connection.first("PRAGMA page_count") { row throws(LedgerFault) in try row.integer(0) }
            _ = try connection.first("PRAGMA max_page_count = \(pages ?? 0)") { _ in () }
        }
        let words = InvoiceOrigin.PayerWords(metadataVersion: 1, comment: String(repeating: "long ", count: 4000))
        await #expect(throws: LedgerFault.full) {
            try await ledger.record(try Sample.invoice(2, words: words), using: .challenge(Sample.challenge(1)))
        }
        #expect(try await ledger.invoice(Sample.preimage(2).paymentHash) == nil)
        #expect(try await ledger.isUsed(Sample.challenge(1)) == false)
        #expect(try await ledger.invoice(Sample.preimage(1).paymentHash) == Sample.invoice(1))
        #expect(try await ledger.check().findings.isEmpty)
    }

    @Test("A backup is a complete ledger")
    func backup() async throws {
        let ledger = try await LedgerDatabase.open(at: path)
        try await ledger.put("alice")
        try await ledger.record(try Sample.invoice(1), using: .challenge(Sample.challenge(1)))
        _ = try await ledger.record(try Sample.settlement(1, cursor: "9"), from: .embedded)
        let copy = folder.path + "/copy.sqlite"
        try await ledger.snapshot(to: copy)
        #expect(mode(of: copy) == 0o600)
        await ledger.close()
        let restored = try await LedgerDatabase.open(at: copy)
        #expect(try await restored.accounts().map(\.id) == [Sample.alice()])
        #expect(try await restored.invoice(Sample.preimage(1).paymentHash)?.settlement != nil)
        #expect(try await restored.isUsed(Sample.challenge(1)))
        #expect(try await restored.cursor(of: .embedded) == SettlementCursor("9"))
        #expect(try await restored.check().findings.isEmpty)
    }

    @Test("A recorded invoice is still there after the process was killed")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let ledger = try await LedgerDatabase.open(at: path)
            try await ledger.put("alice")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in UInt64(1)...50 {
                    group.addTask { try await ledger.record(try Sample.invoice(number), using: nil) }
                }
                try await group.waitForAll()
            }
            kill(getpid(), SIGKILL)
        }
        let ledger = try await LedgerDatabase.open(at: path)
        let report = try await ledger.check()
        #expect(report.invoices == 50)
        #expect(report.findings.isEmpty)
    }
}
