import ResponderModel
import LedgerRecords
import SQLiteLedger

/// A table of named things for the tests of this room.
extension Database {
    static func things(at path: String, timeout: Duration = .seconds(20)) async throws(LedgerFault) -> Database {
        let database = try await Database.open(at: path, timeout: timeout)
        let things = Schema.Migration(
            "things",
            sql: """
                CREATE TABLE thing (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, part INTEGER REFERENCES thing (id)
                ) STRICT
                """
        )
        try await database.migrate(to: Schema(component: "things", migrations: [things]))
        return database
    }

    func insert(_ name: String) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in try connection.insert(name) }
    }

    func names() async throws(LedgerFault) -> [String] {
        try await read { connection throws(LedgerFault) in try connection.names() }
    }
}

extension Connection {
    func insert(_ name: String) throws(LedgerFault) {
        try run("INSERT INTO thing (name) VALUES (?1)", [.text(name)])
    }

    func names() throws(LedgerFault) -> [String] {
        try rows("SELECT name FROM thing ORDER BY id") { row throws(LedgerFault) in try row.text(0) }
    }
}
