public import Contracts
import PostgreSQLStorage

/// What of a commit is on another machine when it returns (PostgreSQL 15, 27.2.8 Synchronous Replication).
public struct Replication: Hashable, Sendable {
    /// `synchronous_standby_names`; empty when the server waits for nobody.
    public let synchronousNames: String
    /// `synchronous_commit` of our sessions.
    public let synchronousCommit: String
    /// How many standbys are connected.
    public let standbys: Int

    /// Creates figures.
    public init(synchronousNames: String, synchronousCommit: String, standbys: Int) {
        self.synchronousNames = synchronousNames
        self.synchronousCommit = synchronousCommit
        self.standbys = standbys
    }

    /// Whether a standby may lack what was answered.
    public var isAsynchronous: Bool {
        synchronousNames.isEmpty || ["off", "local"].contains(synchronousCommit)
    }
}

extension ServerLedger {
    /// How the server replicates.
    public func replication() async throws(LedgerFault) -> Replication {
        let replication = try await first(
            """
            SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit'),
                (SELECT count(*) FROM pg_stat_replication)
            """
        ) { row throws(StorageFault) in
            Replication(
                synchronousNames: try row.text(0), synchronousCommit: try row.text(1),
                standbys: Int(clamping: try row.integer(2)))
        }
        guard let replication else { throw .corrupt("the settings of the server are gone") }
        return replication
    }
}
