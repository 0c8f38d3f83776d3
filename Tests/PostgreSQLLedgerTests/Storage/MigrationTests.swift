import LedgerRecords
import ResponderModel
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import Testing

@Suite(
    "Migrations of a PostgreSQL database", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct MigrationTests {
    private static let one = Schema.Migration(
        "one", sql: "CREATE TABLE thing (name text); CREATE INDEX ON thing (name)")
    private static let two = Schema.Migration("two", sql: "ALTER TABLE thing ADD COLUMN size bigint")
    private static let three = Schema.Migration(
        "three", oldestProgram: 2, sql: "ALTER TABLE thing DROP COLUMN name")

    private static func schema(_ migrations: Schema.Migration...) -> Schema {
        Schema(component: "things", migrations: migrations)
    }

    private func database() async throws -> Database {
        let cluster = try await PostgreSQLCluster.shared()
        return try await Database.open(ServerSettings(url: cluster.url(try await cluster.makeDatabase())))
    }

    @Test("Tables are made by a migration only, and each step once")
    func once() async throws {
        let database = try await database()
        await #expect(throws: LedgerFault.olderSchema(found: 0, needed: 1)) {
            try await database.admit(Self.schema(Self.one))
        }
        var made: [String] = []
        for _ in 0..<2 { try await database.migrate(to: Self.schema(Self.one, Self.two)) { made.append($0) } }
        #expect(made == ["one", "two"])
        try await database.admit(Self.schema(Self.one, Self.two))
        try await database.write(Query("INSERT INTO thing (name, size) VALUES ('a', 1)"))
    }

    @Test("An older program runs beside tables that were expanded, and not beside those that were contracted past it")
    func versions() async throws {
        let database = try await database()
        let (old, middle, new) = (
            Self.schema(Self.one), Self.schema(Self.one, Self.two), Self.schema(Self.one, Self.two, Self.three)
        )
        try await database.migrate(to: old)
        await #expect(throws: LedgerFault.olderSchema(found: 1, needed: 2)) { try await database.admit(middle) }
        try await database.migrate(to: middle)
        try await database.admit(old)
        try await database.migrate(to: old)
        try await database.migrate(to: new)
        try await database.admit(middle)
        await #expect(throws: LedgerFault.newerVersion(found: 3, supported: 1)) { try await database.admit(old) }
        await #expect(throws: LedgerFault.newerVersion(found: 3, supported: 1)) { try await database.migrate(to: old) }
    }

    @Test("Tables that are not ours are refused")
    func others() async throws {
        let database = try await database()
        try await database.migrate(to: Self.schema(Self.one))
        await #expect(throws: LedgerFault.corrupt("the migrations of things are not ours")) {
            try await database.admit(Self.schema(Self.two))
        }
    }

    @Test("Of eight that migrate at once each step is made by one")
    func race() async throws {
        let database = try await database()
        let made = Guarded<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await database.migrate(to: Self.schema(Self.one, Self.two, Self.three)) { name in
                        made.withLock { $0.append(name) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(made.withLock { $0.sorted() } == ["one", "three", "two"])
    }

    @Test("A step that fails leaves nothing, and those before it stay")
    func failing() async throws {
        let database = try await database()
        let broken = Schema.Migration(
            "broken", sql: "CREATE TABLE other (name text); CREATE TABLE thing (name text)")
        await #expect(throws: LedgerFault.self) { try await database.migrate(to: Self.schema(Self.one, broken)) }
        #expect(try await database.applied(of: Self.schema(Self.one)).steps.map(\.name) == ["one"])
        await #expect(throws: LedgerFault.olderSchema(found: 0, needed: 1)) {
            try await database.read(Query("SELECT name FROM other"))
        }
    }
}
