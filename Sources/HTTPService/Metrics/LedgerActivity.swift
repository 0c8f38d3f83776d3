/// What a ledger has written since it was opened; read when the metrics are scraped.
public struct LedgerActivity: Hashable, Sendable {
    /// Groups of writes committed together.
    public let commits: UInt64
    /// Writes in all groups; divided by `commits`, the mean group size.
    public let writes: UInt64
    /// Total seconds of all groups, from lock to disk.
    public let seconds: Double
    /// Seconds of the slowest group.
    public let longest: Double

    /// Creates a record.
    public init(commits: UInt64, writes: UInt64, seconds: Double, longest: Double) {
        self.commits = commits
        self.writes = writes
        self.seconds = seconds
        self.longest = longest
    }

    /// Its lines of the metrics page.
    var page: String {
        """
        # TYPE responder_ledger_commit_longest_seconds gauge
        responder_ledger_commit_longest_seconds \(longest)
        # TYPE responder_ledger_commit_seconds_total counter
        responder_ledger_commit_seconds_total \(seconds)
        # TYPE responder_ledger_commits_total counter
        responder_ledger_commits_total \(commits)
        # TYPE responder_ledger_writes_total counter
        responder_ledger_writes_total \(writes)

        """
    }
}
