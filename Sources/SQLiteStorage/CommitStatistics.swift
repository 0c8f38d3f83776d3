/// What the writer has done since the database was opened.
public struct CommitStatistics: Hashable, Sendable {
    /// Groups of writes that were committed together.
    public private(set) var commits: UInt64 = 0
    /// Writes, in all groups.
    public private(set) var writes: UInt64 = 0
    /// The time that groups took, from the lock to the disk, added up.
    public private(set) var time: Duration = .zero
    /// The time that the slowest group took.
    public private(set) var longest: Duration = .zero

    mutating func add(writes count: Int, in elapsed: Duration) {
        commits &+= 1
        writes &+= UInt64(count)
        time += elapsed
        longest = max(longest, elapsed)
    }
}
