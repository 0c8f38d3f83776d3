import ResponderModel
import PostgreSQLCluster
import PostgreSQLLedger

extension ServerLedger {
    /// A database with the tables of a ledger, to which nobody is connected.
    private static let template = Task {
        let cluster = try await PostgreSQLCluster.shared()
        let name = try await cluster.makeDatabase()
        try await migrate(ServerSettings(url: cluster.url(name)))
        return name
    }

    /// A new database with the tables of a ledger.
    static func database() async throws -> String {
        try await PostgreSQLCluster.shared().makeDatabase(like: template.value)
    }

    /// The settings of such a database.
    static func settings() async throws -> ServerSettings {
        try ServerSettings(url: await PostgreSQLCluster.shared().url(try await database()))
    }

    /// An empty ledger of its own.
    static func anew(lanes: Int = 8) async throws -> ServerLedger {
        try await open(settings(), lanes: lanes)
    }
}

extension Database {
    @discardableResult
    func write(_ queries: Query...) async throws(LedgerFault) -> [ResultSet] { try await write(queries) }
}
