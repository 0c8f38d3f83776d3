import ResponderModel
import LedgerRecords
import PostgreSQLCluster
import PostgreSQLLedger
import Testing
import Waiting

@Suite(
    "A PostgreSQL database", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct DatabaseTests {
    private func database(lanes: Int = 8, timeout: Duration = .seconds(5)) async throws -> Database {
        let cluster = try await PostgreSQLCluster.shared()
        let settings = try ServerSettings(url: cluster.url(try await cluster.makeDatabase()))
        return try await Database.open(settings, lanes: lanes, timeout: timeout, jitter: { 0 })
    }

    private func fault(_ work: () async throws(LedgerFault) -> Void) async -> LedgerFault? {
        do throws(LedgerFault) {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    @Test("Every kind of value comes back as it was sent")
    func values() async throws {
        let database = try await database()
        let blob = (0...255).map { UInt8($0) }
        let set = try await database.read(
            Query(
                "SELECT $1::bigint, $2::text, $3::bytea, $4::text, $5::bigint, $6::int, $7::smallint",
                [
                    .integer(.min), .text("Hi ⚡️ \"'\\"), .blob(blob), .null, .integer(.max), .null,
                    .null,
                ]))
        let found = try #require(
            try set.first { row throws(LedgerFault) in
                (
                    try row.integer(0), try row.text(1), try row.blob(2), row.isNull(3), try row.integer(4)
                )
            })
        #expect(found == (.min, "Hi ⚡️ \"'\\", blob, true, .max))
        let small = try await database.read(
            Query(
                "SELECT (-2)::smallint, 70000::int, ''::text, ''::bytea, $1::bytea, $2::text", [.blob([]), .text("")]))
        let others = try #require(
            try small.first { row throws(LedgerFault) in
                (
                    try row.integer(0), try row.integer(1), try row.text(2), try row.blob(3), try row.blob(4),
                    try row.text(5)
                )
            })
        #expect(others == (-2, 70_000, "", [], [], ""))
    }

    @Test("A column of another type than is read is a fault, not a number")
    func types() async throws {
        let database = try await database()
        let set = try await database.read(Query("SELECT 'abcdefgh'::text AS name, NULL::bigint AS size"))
        #expect(throws: LedgerFault.corrupt("unexpected value in name")) {
            try set.first { row throws(LedgerFault) in try row.integer(0) }
        }
        #expect(throws: LedgerFault.corrupt("unexpected value in size")) {
            try set.first { row throws(LedgerFault) in try row.integer(1) }
        }
    }

    @Test("Arrays of every kind are sent whole, empty ones too")
    func arrays() async throws {
        let database = try await database()
        func joined(_ value: Value, _ type: String) async throws -> String {
            let set = try await database.read(
                Query("SELECT coalesce(array_to_string($1::\(type)[], ','), 'null')", [value]))
            return try set.first { row throws(LedgerFault) in try row.text(0) } ?? ""
        }
        #expect(try await joined(.integers([1, -5, .max]), "bigint") == "1,-5,9223372036854775807")
        #expect(try await joined(.texts(["a", "", "é"]), "text") == "a,,é")
        #expect(try await joined(.blobs([[0, 255], [1]]), "bytea") == #"\x00ff,\x01"#)
        #expect(try await joined(.integers([]), "bigint") == "")
    }

    @Test("U+0000 is refused before it is sent, and the connection goes on")
    func nullCharacters() async throws {
        let database = try await database(lanes: 1)
        for value in [Value.one(.text("a\u{0}b")), .texts(["a", "\u{0}"])] {
            await #expect(throws: LedgerFault.unstorable("a text holds U+0000")) {
                try await database.read(Query("SELECT $1::text", [value]))
            }
        }
        #expect(throws: LedgerFault.unstorable("a number is above 2^63 - 1")) { try StoredValue.unsigned(1 << 63) }
        #expect(try await database.read(Query("SELECT 1")).count == 1)
    }

    @Test("A batch is written whole or not at all")
    func batches() async throws {
        let database = try await database(lanes: 1)
        try await database.write(Query("CREATE TABLE thing (name text CONSTRAINT only_one UNIQUE)"))
        let insertion = "INSERT INTO thing (name) VALUES ($1)"
        await #expect(throws: LedgerFault.unstorable("a row would break a rule: only_one")) {
            try await database.write(
                Query(insertion, [.text("a")]), Query(insertion, [.text("b")]), Query(insertion, [.text("a")]))
        }
        #expect(try await database.read(Query("SELECT name FROM thing")).count == 0)
        let sets = try await database.write(Query(insertion, [.text("a")]), Query(insertion, [.text("b")]))
        #expect(sets.map(\.affected) == [1, 1])
        #expect(try await database.read(Query("SELECT name FROM thing")).count == 2)
        #expect(database.statistics.writes == 2)
    }

    @Test("A rule that is checked at the commit fails the batch, and not its connection")
    func deferredRules() async throws {
        let database = try await database(lanes: 1)
        try await database.write(
            Query("CREATE TABLE thing (name text, CONSTRAINT later UNIQUE (name) DEFERRABLE INITIALLY DEFERRED)"))
        let insertion = Query("INSERT INTO thing (name) VALUES ($1)", [.text("a")])
        await #expect(throws: LedgerFault.unstorable("a row would break a rule: later")) {
            try await database.write(insertion, insertion)
        }
        try await database.write(insertion)
    }

    @Test("Large batches and large answers do not block each other")
    func large() async throws {
        let database = try await database(lanes: 1, timeout: .seconds(50))
        let text = String(repeating: "x", count: 4_000_000)
        let query = Query("SELECT $1::text || $1::text", [.text(text)])
        let sets = try await database.write(query, query, query)
        #expect(
            try sets.map { try $0.first { row throws(LedgerFault) in try row.text(0).utf8.count } ?? 0 } == [
                8_000_000, 8_000_000, 8_000_000,
            ])
    }

    @Test("Who waits for a row longer than a second is told that it is busy; and so is a slow statement")
    func busy() async throws {
        let database = try await database(lanes: 3)
        try await database.write(Query("CREATE TABLE thing (name text)"), Query("INSERT INTO thing VALUES ('a')"))
        let other = try await database.transaction(.writing, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run(Query("UPDATE thing SET name = 'b'"))
            return await fault { () async throws(LedgerFault) in
                try await database.write(Query("UPDATE thing SET name = 'c'"))
            }
        }
        #expect(other == .busy)
        await #expect(throws: LedgerFault.busy) { try await database.read(Query("SELECT 1 FROM pg_sleep(60)")) }
        #expect(
            try await database.read(Query("SELECT name FROM thing")).first { row throws(LedgerFault) in
                try row.text(0)
            } == "b")
    }

    @Test("Who finds every connection in use waits, and at most for its part of the time")
    func waiting() async throws {
        let database = try await database(lanes: 1)
        try await database.write(Query("CREATE TABLE thing (name text)"))
        let other = try await database.transaction(.reading, within: .seconds(9)) { _ throws(LedgerFault) in
            await fault { () async throws(LedgerFault) in
                _ = try await database.write(Query("INSERT INTO thing VALUES ('a')"))
            }
        }
        #expect(other == .noConnection(within: .seconds(2)))
        #expect(other?.reason == "no free connection to the ledger within 2.0 s")
        // Nor is it written afterwards.
        #expect(try await database.read(Query("SELECT name FROM thing")).count == 0)
    }

    @Test("Who waits for a connection when the database is closed is told so, and writes nothing")
    func closedMeanwhile() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let settings = try ServerSettings(url: cluster.url(try await cluster.makeDatabase()))
        let database = try await Database.open(settings, lanes: 1, timeout: .seconds(60))
        try await database.write(Query("CREATE TABLE thing (name text)"))
        let callers = OneThread()
        try await database.transaction(.reading, within: .seconds(9)) { _ throws(LedgerFault) in
            let waiting = Task(executorPreference: callers) {
                await fault { () async throws(LedgerFault) in
                    _ = try await database.write(Query("INSERT INTO thing VALUES ('a')"))
                }
            }
            // It waits before this runs.
            await callers.run { database.close() }
            #expect(await waiting.value == .closed)
        }
        let other = try await Database.open(settings, lanes: 1)
        #expect(try await other.read(Query("SELECT name FROM thing")).count == 0)
    }

    @Test("Changes of others at the same moment are repeated, five times at the most")
    func conflicts() async throws {
        let database = try await database()
        try await database.write(
            Query("CREATE TABLE thing (name text)"), Query("CREATE SEQUENCE tries"),
            Query(
                """
                CREATE FUNCTION fail_until(good bigint) RETURNS bigint LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('tries') < good THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;
                    RETURN currval('tries');
                END $$
                """))
        let set = try await database.write(Query("SELECT fail_until(5)"))[0]
        #expect(try set.first { row throws(LedgerFault) in try row.integer(0) } == 5)
        await #expect(throws: LedgerFault.busy) { try await database.write(Query("SELECT fail_until(11)")) }
        #expect(try await database.write(Query("SELECT fail_until(11)"))[0].count == 1)
    }

    @Test("A transaction whose body throws writes nothing")
    func transactions() async throws {
        let database = try await database(lanes: 1)
        try await database.write(Query("CREATE TABLE thing (name text)"))
        await #expect(throws: LedgerFault.corrupt("3")) {
            try await database.transaction(.writing, within: .seconds(1)) { transaction throws(LedgerFault) in
                try await transaction.run(Query("INSERT INTO thing VALUES ('a')"))
                try await transaction.script("INSERT INTO thing VALUES ('b'); INSERT INTO thing VALUES ('c')")
                throw .corrupt("\(try await transaction.run(Query("SELECT name FROM thing")).count)")
            }
        }
        #expect(try await database.read(Query("SELECT name FROM thing")).count == 0)
    }

    @Test("A transaction whose body hides a failed statement is not reported as committed, and its connection goes on")
    func hiddenFailures() async throws {
        let database = try await database(lanes: 1)
        try await database.write(Query("CREATE TABLE thing (name text)"))
        let fault = await fault { () throws(LedgerFault) in
            try await database.transaction(.writing, within: .seconds(1)) { transaction throws(LedgerFault) in
                try await transaction.run(Query("INSERT INTO thing VALUES ('hidden')"))
                _ = try? await transaction.run(Query("SELECT 1 / 0"))
            }
        }
        #expect(fault == .storage("a statement of the transaction had failed"))
        try await database.write(Query("INSERT INTO thing VALUES ('next')"))
        let names = try await database.read(Query("SELECT name FROM thing")).rows { row throws(LedgerFault) in
            try row.text(0)
        }
        #expect(names == ["next"])
    }

    @Test("A script that fails takes no connection with it")
    func failedScripts() async throws {
        let database = try await database(lanes: 1)
        func process() async throws -> Int64? {
            try await database.read(Query("SELECT pg_backend_pid()::bigint")).first { row throws(LedgerFault) in
                try row.integer(0)
            }
        }
        let before = try await process()
        await #expect(throws: LedgerFault.self) {
            try await database.transaction(.writing, within: .seconds(1)) { transaction throws(LedgerFault) in
                try await transaction.script("CREATE TABLE thing (name text); SELECT 1 / 0")
            }
        }
        #expect(try await process() == before)
        try await database.write(Query("CREATE TABLE thing (name text)"))
    }

    @Test("Sixty callers on four connections are all served")
    func many() async throws {
        let database = try await database(lanes: 4)
        try await database.write(Query("CREATE TABLE thing (number bigint)"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in Int64(0)..<60 {
                group.addTask {
                    try await database.write(Query("INSERT INTO thing VALUES ($1)", [.integer(number)]))
                }
            }
            try await group.waitForAll()
        }
        let set = try await database.read(
            Query("SELECT count(DISTINCT number) FROM thing"))
        #expect(try set.first { row throws(LedgerFault) in try row.integer(0) } == 60)
    }

    @Test("A closed database says so")
    func closed() async throws {
        let database = try await database()
        database.close()
        await #expect(throws: LedgerFault.closed) { try await database.read(Query("SELECT 1")) }
    }
}
