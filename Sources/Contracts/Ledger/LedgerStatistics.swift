/// What a process has written to a ledger since it opened it.
public struct LedgerStatistics: Hashable, Sendable {
    /// Groups of writes committed together.
    public let commits: UInt64
    /// Writes in all groups; divided by `commits`, the mean group size.
    public let writes: UInt64
    /// Total time of all groups, from lock to disk.
    public let time: Duration
    /// Time of the slowest group.
    public let longest: Duration

    /// Creates a record.
    public init(commits: UInt64, writes: UInt64, time: Duration, longest: Duration) {
        self.commits = commits
        self.writes = writes
        self.time = time
        self.longest = longest
    }
}
