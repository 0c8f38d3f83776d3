package import ResponderModel
import LedgerRecords

/// What of a commit is on another machine when it returns (PostgreSQL 15, 27.2.8 Synchronous Replication).
package struct Replication: Hashable, Sendable {
    /// `synchronous_standby_names`; empty when the server waits for nobody.
    package let synchronousNames: String
    /// `synchronous_commit` of our sessions.
    package let synchronousCommit: String
    package let standbys: Int

    /// Whether a standby may lack what was answered.
    package var isAsynchronous: Bool {
        synchronousNames.isEmpty || ["off", "local"].contains(synchronousCommit)
    }
}

extension ServerLedger {
    package func replication() async throws(LedgerFault) -> Replication {
        let replication = try await first(
            """
            SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS waits,
                (SELECT count(*) FROM pg_stat_replication) AS standbys
            """
        ) { row throws(LedgerFault) in
            Replication(
                synchronousNames: try row.text("names"), synchronousCommit: try row.text("waits"),
                standbys: Int(clamping: try row.integer("standbys")))
        }
        guard let replication else { throw .corrupt("the settings of the server are gone") }
        return replication
    }
}
