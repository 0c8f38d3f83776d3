import LedgerRecords
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("One connection", .timeLimit(.minutes(5)))
struct ConnectionTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/made/here/file.sqlite" }

    @Test("Every commit is synced, the log is written ahead, foreign keys hold")
    func pragmas() throws {
        let connection = try Connection(path: path, access: .writing)
        func pragma(_ name: String) throws -> Int64? {
            try connection.first("PRAGMA \(name)") { row throws(LedgerFault) in try row.integer(0) }
        }
        #expect(try pragma("synchronous") == 2)
        #expect(try pragma("foreign_keys") == 1)
        let mode = try connection.first("PRAGMA journal_mode") { row throws(LedgerFault) in try row.text(0) }
        #expect(mode == "wal")
    }

    @Test("The files are for their owner only, and so is the folder")
    func modes() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.script("CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT")
        for file in ["", "-wal", "-shm"] { #expect(mode(of: path + file) == 0o600) }
        #expect(mode(of: folder.path + "/made/here") == 0o700)
    }

    @Test(
        "Values are bound by the numbers of $1, $2, …, in whatever order these come, and one that is not used is left out"
    )
    func numbered() throws {
        let connection = try Connection(path: path, access: .writing)
        func read(_ sql: String) throws -> [StoredValue]? {
            try connection.first(sql, [.text("a"), .text("b"), .text("c")]) { row throws(LedgerFault) in
                [try row.value(0), try row.value(1), try row.value(2)]
            }
        }
        for sql in ["SELECT $3, $1, $2", "SELECT $3, $1, $2 WHERE $1 = $1", "SELECT ?3, ?1, ?2"] {
            #expect(try read(sql) == [.text("c"), .text("a"), .text("b")])
        }
    }

    @Test("A column is found by its name, whichever was read before, and none by another name")
    func named() throws {
        let connection = try Connection(path: path, access: .writing)
        let found = try connection.rows("SELECT 1 AS one, 2 AS two, 3 AS three UNION ALL SELECT 4, 5, 6") {
            row throws(LedgerFault) in
            ["three", "one", "two", "two", "on", "ones", ""].map { (name: StaticString) in row.column(named: name) }
        }
        #expect(found == [[2, 0, 1, 1, nil, nil, nil], [2, 0, 1, 1, nil, nil, nil]])
    }

    @Test("Each kind of value comes back as it was, the empty ones too")
    func values() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.script(
            "CREATE TABLE thing (id INTEGER PRIMARY KEY, text TEXT, blob BLOB, number INTEGER) STRICT")
        let insert = "INSERT INTO thing (text, blob, number) VALUES (?1, ?2, ?3)"
        try connection.run(insert, [.text("⚡️ O'Brien"), .blob([0, 255]), .integer(.min)])
        try connection.run(insert, [.text(""), .blob([]), .unsigned(UInt64(Int64.max))])
        let rows = try connection.rows("SELECT text, blob, number FROM thing ORDER BY id") { row throws(LedgerFault) in
            [StoredValue.text(try row.text(0)), .blob(try row.blob(1)), .integer(try row.integer(2))]
        }
        #expect(
            rows == [
                [.text("⚡️ O'Brien"), .blob([0, 255]), .integer(.min)],
                [.text(""), .blob([]), .integer(.max)],
            ])
        try connection.run(insert, [.null, .null, .null])
        let nulls = try connection.first("SELECT text, blob FROM thing WHERE id = 3") { row throws(LedgerFault) in
            row.isNull(0) && row.isNull(1) ? try row.optionalText("text") : "a value"
        }
        #expect(nulls == .some(nil))
    }

    @Test("A column of another type makes the file corrupt", arguments: ["NULL", "'text'", "-1", "x'00'"])
    func wrongType(_ value: String) throws {
        let connection = try Connection(path: path, access: .writing)
        #expect(throws: LedgerFault.corrupt("unexpected value in msat")) {
            _ = try connection.first("SELECT \(value) AS msat") { row throws(LedgerFault) in try row.unsigned("msat") }
        }
    }

    @Test("Text that is no UTF-8 makes the file corrupt")
    func invalidText() throws {
        let connection = try Connection(path: path, access: .writing)
        #expect(throws: LedgerFault.corrupt("unexpected value in name")) {
            _ = try connection.first("SELECT CAST(x'ff' AS TEXT) AS name") { row throws(LedgerFault) in try row.text(0)
            }
        }
    }

    @Test("The broken constraint is named")
    func constraints() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.script(
            """
            CREATE TABLE thing (
                id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, part INTEGER REFERENCES thing (id),
                CONSTRAINT short_label CHECK (length(label) < 5)
            ) STRICT
            """
        )
        let insert = "INSERT INTO thing (label, part) VALUES (?1, ?2)"
        try connection.run(insert, [.text("one"), .null])
        #expect(throws: LedgerFault.constraint("thing.label")) { try connection.run(insert, [.text("one"), .null]) }
        #expect(throws: LedgerFault.constraint("thing.label")) { try connection.run(insert, [.null, .null]) }
        #expect(throws: LedgerFault.constraint("short_label")) { try connection.run(insert, [.text("three"), .null]) }
        #expect(throws: LedgerFault.constraint("FOREIGN KEY constraint failed")) {
            try connection.run(insert, [.text("two"), .integer(99)])
        }
        #expect(throws: LedgerFault.constraint("cannot store TEXT value in INTEGER column thing.part")) {
            try connection.run(insert, [.text("two"), .text("x")])
        }
    }

    @Test("A query within the same query has a statement of its own")
    func nestedQuery() throws {
        let connection = try Connection(path: path, access: .writing)
        let numbers = "SELECT value FROM (SELECT 1 AS value UNION SELECT 2)"
        let sums = try connection.rows(numbers) { outer throws(LedgerFault) in
            let first = try outer.integer(0)
            return try connection.rows(numbers) { inner throws(LedgerFault) in first * 10 + (try inner.integer(0)) }
        }
        #expect(sums == [[11, 12], [21, 22]])
    }

    @Test("A query that fails within the same query leaves the outer one as it is, and can be made again")
    func failedNestedQuery() throws {
        let connection = try Connection(path: path, access: .writing)
        let numbers = "SELECT value FROM (SELECT 1 AS value UNION SELECT 2)"
        let outer = try connection.rows(numbers) { row throws(LedgerFault) in
            let number = try row.integer(0)
            do throws(LedgerFault) {
                _ = try connection.rows(numbers) { _ throws(LedgerFault) in throw .full }
            } catch {
                return number
            }
            return 0
        }
        #expect(outer == [1, 2])
        #expect(try connection.rows(numbers) { row throws(LedgerFault) in try row.integer(0) } == [1, 2])
    }

    @Test("A transaction that throws has written nothing")
    func rollback() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.script("CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT")
        #expect(throws: LedgerFault.closed) {
            try connection.transaction { () throws(LedgerFault) in
                try connection.run("INSERT INTO thing DEFAULT VALUES")
                throw LedgerFault.closed
            }
        }
        try connection.transaction { () throws(LedgerFault) in
            _ = try connection.run("INSERT INTO thing (id) VALUES (7)")
        }
        #expect(try connection.rows("SELECT id FROM thing") { row throws(LedgerFault) in try row.integer(0) } == [7])
    }

    @Test("A connection for reading cannot write")
    func readOnly() throws {
        let writer = try Connection(path: path, access: .writing)
        try writer.script("CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT")
        let reader = try Connection(path: path, access: .reading)
        #expect(throws: LedgerFault.readOnly) { try reader.run("INSERT INTO thing DEFAULT VALUES") }
    }

    @Test("A lock that another holds is waited for, then the call is busy, by the real clock")
    func busy() throws {
        let holder = try Connection(path: path, access: .writing)
        let other = try Connection(path: path, access: .writing, timeout: .milliseconds(30))
        try holder.script("BEGIN IMMEDIATE")
        let start = MonotonicTime.now
        #expect(throws: LedgerFault.busy) { try other.transaction {} }
        // Its own timeout, not the usual five seconds.
        #expect((Duration.milliseconds(30)..<Duration.seconds(4)).contains(MonotonicTime.now - start))
        try holder.script("COMMIT")
        try other.transaction {}
    }

    @Test("A file that is no database is corrupt, and stays as it is")
    func noDatabase() throws {
        let text = Array(String(repeating: "This is no database. ", count: 100).utf8)
        let file = folder.path + "/letter.txt"
        try PrivateFile(path: file).create(text)
        #expect(throws: LedgerFault.corrupt("file is not a database")) { try Connection(path: file, access: .writing) }
        #expect(try PrivateFile(path: file).contents(limit: 10_000) == text)
    }

    @Test("A folder in the file's place cannot be opened")
    func folderInPlace() {
        #expect(throws: LedgerFault.storage("unable to open database file (14)")) {
            try Connection(path: folder.path, access: .writing)
        }
    }
}
