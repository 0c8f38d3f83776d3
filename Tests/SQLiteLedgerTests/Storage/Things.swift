import LedgerRecords
import SQLiteLedger

/// A table of named things for the tests of this room.
extension Database {
    static func things(at path: String, timeout: Duration = .seconds(20)) async throws(StorageFault) -> Database {
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

    func insert(_ name: String) async throws(StorageFault) {
        try await write { connection throws(StorageFault) in try connection.insert(name) }
    }

    func insertLater(_ name: String, whenDone: @escaping @Sendable (StorageFault?) -> Void = { _ in }) {
        writeLater { connection throws(StorageFault) in
            try connection.insert(name)
        } whenDone: { result in
            if case .failure(let fault) = result { whenDone(fault) } else { whenDone(nil) }
        }
    }

    func names() async throws(StorageFault) -> [String] {
        try await read { connection throws(StorageFault) in try connection.names() }
    }
}

extension Connection {
    func insert(_ name: String) throws(StorageFault) {
        try run("INSERT INTO thing (name) VALUES (?1)", [.text(name)])
    }

    func names() throws(StorageFault) -> [String] {
        try rows("SELECT name FROM thing ORDER BY id") { row throws(StorageFault) in try row.text(0) }
    }
}
