/// What a ledger has written since it was opened; it counts by itself, and is asked when the page is scraped.
public struct LedgerActivity: Hashable, Sendable {
    /// Groups of writes that were committed together.
    public let commits: UInt64
    /// Writes in all groups; divided by `commits` it is the mean size of a group.
    public let writes: UInt64
    /// Seconds that all groups took, from the lock to the disk.
    public let seconds: Double
    /// Seconds that the slowest group took.
    public let longest: Double

    /// Creates a record.
    public init(commits: UInt64, writes: UInt64, seconds: Double, longest: Double) {
        self.commits = commits
        self.writes = writes
        self.seconds = seconds
        self.longest = longest
    }

    /// Its lines on the page.
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
