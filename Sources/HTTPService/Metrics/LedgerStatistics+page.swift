import Contracts

extension LedgerStatistics {
    /// Its lines of the metrics page.
    var page: String {
        """
        # TYPE responder_ledger_commit_longest_seconds gauge
        responder_ledger_commit_longest_seconds \(longest / .seconds(1))
        # TYPE responder_ledger_commit_seconds_total counter
        responder_ledger_commit_seconds_total \(time / .seconds(1))
        # TYPE responder_ledger_commits_total counter
        responder_ledger_commits_total \(commits)
        # TYPE responder_ledger_writes_total counter
        responder_ledger_writes_total \(writes)

        """
    }
}
