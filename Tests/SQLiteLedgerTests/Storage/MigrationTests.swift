import ResponderModel
import LedgerRecords
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("Migrations", .timeLimit(.minutes(5)))
struct MigrationTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/file.sqlite" }

    static let first = Schema.Migration("first", sql: "CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT")
    static let second = Schema.Migration(
        "second", sql: "ALTER TABLE thing ADD COLUMN name TEXT; INSERT INTO thing (name) VALUES ('one')"
    )

    @Test("Each step is done once, in order, whenever it comes")
    func steps() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.migrate(to: Schema(component: "things", migrations: [Self.first]))
        try connection.migrate(to: Schema(component: "things", migrations: [Self.first, Self.second]))
        try connection.migrate(to: Schema(component: "things", migrations: [Self.first, Self.second]))
        #expect(
            try connection.rows("SELECT name FROM thing") { row throws(LedgerFault) in try row.text(0) } == ["one"])
    }

    @Test("Components of one file do not know of each other")
    func components() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.migrate(to: Schema(component: "things", migrations: [Self.first]))
        let other = Schema.Migration("first", sql: "CREATE TABLE other (id INTEGER PRIMARY KEY) STRICT")
        try connection.migrate(to: Schema(component: "others", migrations: [other]))
        #expect(try connection.changes("INSERT INTO other DEFAULT VALUES", []) == 1)
    }

    @Test("More steps than we know: the file is newer, and what was found is said")
    func newer() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.migrate(to: Schema(component: "things", migrations: [Self.first, Self.second]))
        #expect(throws: LedgerFault.newerVersion(found: 2, supported: 1)) {
            try connection.migrate(to: Schema(component: "things", migrations: [Self.first]))
        }
    }

    @Test("Other steps than ours: the file is not ours")
    func foreign() throws {
        let connection = try Connection(path: path, access: .writing)
        try connection.migrate(to: Schema(component: "things", migrations: [Self.first]))
        #expect(throws: LedgerFault.corrupt("the migrations of things are not ours")) {
            try connection.migrate(to: Schema(component: "things", migrations: [Self.second, Self.first]))
        }
    }

    @Test("When one step fails, none of them is done")
    func failing() throws {
        let connection = try Connection(path: path, access: .writing)
        let broken = Schema.Migration(
            "broken", sql: "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT; DROP TABLE none")
        #expect(throws: LedgerFault.storage("no such table: none (1)")) {
            try connection.migrate(to: Schema(component: "things", migrations: [Self.first, broken]))
        }
        try connection.migrate(to: Schema(component: "things", migrations: [Self.first]))
    }

    @Test("Many who open a new file at once make its tables once")
    func race() async throws {
        let schema = Schema(component: "things", migrations: [Self.first, Self.second])
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let database = try await Database.open(at: path)
                    try await database.migrate(to: schema)
                    await database.close()
                }
            }
            try await group.waitForAll()
        }
        let connection = try Connection(path: path, access: .reading)
        #expect(
            try connection.rows("SELECT name FROM thing") { row throws(LedgerFault) in try row.text(0) } == ["one"])
    }
}
