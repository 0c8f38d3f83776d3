/// Statistics of the writer since the database was opened.
public struct CommitStatistics: Hashable, Sendable {
    /// Groups of writes committed together.
    public private(set) var commits: UInt64 = 0
    /// Writes in all groups.
    public private(set) var writes: UInt64 = 0
    /// The total time of all groups, from lock to disk.
    public private(set) var time: Duration = .zero
    /// The time of the slowest group.
    public private(set) var longest: Duration = .zero

    mutating func add(writes count: Int, in elapsed: Duration) {
        commits &+= 1
        writes &+= UInt64(count)
        time += elapsed
        longest = max(longest, elapsed)
    }
}
