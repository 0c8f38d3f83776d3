import PostgreSQLCluster
import PostgreSQLLedger
import PostgreSQLStorage

extension ServerLedger {
    /// A database with the tables of a ledger, to which nobody is connected.
    private static let template = Task {
        let cluster = try await PostgreSQLCluster.shared()
        let name = try await cluster.makeDatabase()
        try await migrate(ServerSettings(url: cluster.url(name)))
        return name
    }

    /// The settings of a new database with the tables of a ledger.
    static func settings() async throws -> ServerSettings {
        let cluster = try await PostgreSQLCluster.shared()
        return try ServerSettings(url: cluster.url(try await cluster.makeDatabase(like: template.value)))
    }

    /// An empty ledger of its own.
    static func anew(lanes: Int = 8) async throws -> ServerLedger {
        try await open(settings(), lanes: lanes)
    }
}
