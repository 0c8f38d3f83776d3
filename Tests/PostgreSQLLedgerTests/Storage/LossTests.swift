import LedgerRecords
import ResponderModel
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import Testing
import Waiting

@Suite(
    "When a PostgreSQL server is lost", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct LossTests {
    /// A database with a table of numbers, behind a proxy.
    private struct Setting {
        let direct: Database
        let proxy: CuttingProxy
        let database: Database

        init(lanes: Int = 1, timeout: Duration = .seconds(4)) async throws {
            let cluster = try await PostgreSQLCluster.shared()
            let name = try await cluster.makeDatabase()
            direct = try await Database.open(ServerSettings(url: cluster.url(name)), lanes: 1)
            try await direct.write(Query("CREATE TABLE thing (number bigint)"))
            proxy = try CuttingProxy(to: cluster.port)
            database = try await Database.open(
                ServerSettings(url: cluster.url(name, at: proxy.port)), lanes: lanes, timeout: timeout,
                jitter: { 0 })
        }

        func insert(_ number: Int64) async throws(LedgerFault) {
            try await database.write(Query("INSERT INTO thing VALUES ($1)", [.integer(number)]))
        }

        func numbers() async throws -> [Int64] {
            try await direct.read(Query("SELECT number FROM thing ORDER BY number")).rows { row throws(LedgerFault) in
                try row.integer(0)
            }
        }
    }

    @Test("What takes long ends at the server when its task is canceled, and the connection goes on")
    func canceled() async throws {
        let setting = try await Setting(lanes: 2)
        let database = setting.database
        let working = Task {
            try await database.write([Query("SELECT pg_sleep(600)::text")], within: .seconds(900))
        }
        func count() async throws -> Int64? {
            try await setting.direct.read(
                Query(
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)%' AND state = 'active'"
                )
            ).first { row throws(LedgerFault) in try row.integer(0) }
        }
        try await eventually { try await count() == 1 }
        working.cancel()
        await #expect(throws: LedgerFault.busy) { try await working.value }
        #expect(try await count() == 0)
        for number in Int64(1)...3 { try await setting.insert(number) }
    }

    @Test("The calls for one answer share its time: once it is used up, nothing is sent")
    func sharedTime() async throws {
        let setting = try await Setting(lanes: 2, timeout: .seconds(120))
        try await setting.insert(1)
        setting.proxy.become(.silent)
        let time = WaitingTime(.milliseconds(200))
        await WaitingTime.$current.withValue(time) {
            await #expect(throws: LedgerFault.self) { try await setting.insert(2) }
            // It may end a moment before.
            #expect(time.left < .milliseconds(100))
            time.spend(time.left)
            setting.proxy.become(.passing)
            await #expect(throws: LedgerFault.busy) { try await setting.insert(3) }
        }
        try await setting.insert(4)
        #expect(try await setting.numbers().contains(3) == false)
    }

    @Test("If the answer to a commit is lost, nobody knows, and nothing is repeated")
    func lostAnswers() async throws {
        let setting = try await Setting()
        try await setting.insert(1)
        setting.proxy.become(.losingAnswers)
        await #expect(throws: LedgerFault.outcomeUnknown) { try await setting.insert(2) }
        #expect(try await setting.numbers() == [1, 2])
        setting.proxy.become(.passing)
        try await setting.insert(3)
        #expect(try await setting.numbers() == [1, 2, 3])
    }

    @Test("A connection on which an answer came too late is not used again: the next caller would get that answer")
    func lateAnswers() async throws {
        let setting = try await Setting(timeout: .seconds(30))
        let isBegun = Guarded(false)
        await #expect(throws: LedgerFault.busy) {
            try await setting.database.transaction(.writing, within: .seconds(2)) { transaction throws(LedgerFault) in
                setting.proxy.become(.silent)
                defer { setting.proxy.become(.passing) }
                isBegun.withLock { $0 = true }
                try await transaction.run(Query("INSERT INTO thing VALUES (1)"))
            }
        }
        #expect(isBegun.withLock { $0 })
        for number in Int64(2)...4 {
            let set = try await setting.database.write(
                Query("INSERT INTO thing VALUES ($1) RETURNING number", [.integer(number)]))[0]
            #expect(try set.first { row throws(LedgerFault) in try row.integer(0) } == number)
        }
        #expect(try await setting.numbers() == [2, 3, 4])
    }

    @Test("If a statement is cut on its way, nobody knows either, and it was not written")
    func cutStatements() async throws {
        let setting = try await Setting()
        try await setting.insert(1)
        setting.proxy.become(.cuttingAfter(20))
        await #expect(throws: LedgerFault.outcomeUnknown) { try await setting.insert(2) }
        setting.proxy.become(.passing)
        try await setting.insert(3)
        #expect(try await setting.numbers() == [1, 3])
    }

    @Test("A read is repeated on another connection")
    func repeatedReads() async throws {
        let setting = try await Setting(timeout: .seconds(30))
        try await setting.insert(1)
        setting.proxy.become(.cuttingAfter(20))
        async let count = setting.database.read(Query("SELECT number FROM thing")).count
        try await eventually { setting.proxy.cuts > 0 }
        setting.proxy.become(.passing)
        #expect(try await count == 1)
    }

    @Test("A connection that was ended while nobody used it is noticed before anything is sent")
    func endedWhenIdle() async throws {
        let setting = try await Setting(timeout: .seconds(30))
        try await setting.insert(1)
        for number in Int64(2)...4 {
            try await setting.direct.write(
                Query(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """))
            try await eventually {
                try await setting.direct.read(
                    Query(
                        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
                    )
                ).count == 1
            }
            try await setting.insert(number)
        }
        #expect(try await setting.numbers() == [1, 2, 3, 4])
    }

    @Test("While the server cannot be reached callers are told why in their time, and afterwards all goes on by itself")
    func unreachable() async throws {
        let setting = try await Setting(lanes: 3)
        setting.proxy.become(.refusing)
        let start = MonotonicTime.now
        for _ in 0..<2 {
            do throws(LedgerFault) {
                try await setting.insert(1)
                Issue.record("written")
            } catch {
                guard case .unreachable = error else {
                    // The first may find its connection cut in the middle.
                    #expect(error == .outcomeUnknown)
                    continue
                }
            }
        }
        #expect(MonotonicTime.now - start < .seconds(30))
        setting.proxy.become(.passing)
        try await eventually { (try? await setting.insert(2)) != nil }
        #expect(try await setting.numbers().last == 2)
    }

    @Test("A server that says nothing holds up nobody beyond his time")
    func silent() async throws {
        let setting = try await Setting()
        try await setting.insert(1)
        setting.proxy.become(.silent)
        let start = MonotonicTime.now
        await #expect(throws: LedgerFault.outcomeUnknown) { try await setting.insert(2) }
        #expect(MonotonicTime.now - start < .seconds(30))
        setting.proxy.become(.passing)
        try await setting.insert(3)
    }

    @Test("A server that becomes read-only is left, and used again when it takes writes")
    func readOnly() async throws {
        let cluster = try await PostgreSQLCluster()
        let database = try await Database.open(
            ServerSettings(url: cluster.url("postgres")), lanes: 2, timeout: .seconds(2), jitter: { 0 })
        try await database.write(Query("CREATE TABLE thing (number bigint)"))
        try await cluster.psql("ALTER SYSTEM SET default_transaction_read_only = on")
        try await cluster.psql("SELECT pg_reload_conf()")
        try await eventually {
            do throws(LedgerFault) {
                try await database.write(Query("INSERT INTO thing VALUES (1)"))
                return false
            } catch {
                return error == .readOnly
            }
        }
        try await cluster.psql("ALTER SYSTEM RESET default_transaction_read_only")
        try await cluster.psql("SELECT pg_reload_conf()")
        try await eventually { (try? await database.write(Query("INSERT INTO thing VALUES (2)"))) != nil }
    }

    @Test("A server that was killed and comes back has every write that was answered")
    func killed() async throws {
        let cluster = try await PostgreSQLCluster()
        let database = try await Database.open(
            ServerSettings(url: cluster.url("postgres")), lanes: 4, timeout: .seconds(3), jitter: { 0 })
        try await database.write(Query("CREATE TABLE thing (number bigint)"))
        let written = Guarded<Set<Int64>>([])
        let writer = Task {
            var number: Int64 = 0
            while !Task.isCancelled {
                number += 1
                let current = number
                guard (try? await database.write(Query("INSERT INTO thing VALUES ($1)", [.integer(current)]))) != nil
                else { continue }
                written.withLock { _ = $0.insert(current) }
            }
        }
        for _ in 0..<2 {
            let before = written.withLock { $0.count }
            try await eventually { written.withLock { $0.count } > before + 50 }
            try cluster.crash()
            try await cluster.start()
        }
        let before = written.withLock { $0.count }
        try await eventually { written.withLock { $0.count } > before + 50 }
        writer.cancel()
        await writer.value
        let found = try await database.read(Query("SELECT number FROM thing")).rows { row throws(LedgerFault) in
            try row.integer(0)
        }
        #expect(written.withLock { $0 }.isSubset(of: found))
        #expect(Set(found).count == found.count)
    }

    @Test(
        "A full disk is said, and reading goes on",
        .enabled(if: PostgreSQLCluster.canLimitDisks, "no disk can be mounted"))
    func full() async throws {
        let cluster = try await PostgreSQLCluster(megabytes: 64)
        let database = try await Database.open(ServerSettings(url: cluster.url("postgres")), lanes: 1)
        try await database.write(
            Query("CREATE TABLE thing (text text)"), Query("ALTER TABLE thing ALTER text SET STORAGE EXTERNAL"))
        let row = Query("INSERT INTO thing VALUES ($1)", [.text(String(repeating: "x", count: 4_000_000))])
        var outcome: LedgerFault?
        for _ in 0..<40 where outcome == nil {
            do throws(LedgerFault) {
                try await database.write(row)
            } catch {
                outcome = error
            }
        }
        #expect(outcome == .full)
        #expect(try await database.read(Query("SELECT 1 FROM thing")).count > 0)
    }
}
