/// What was written since the database was opened.
package struct WriteStatistics: Hashable, Sendable {
    /// Batches, each a transaction.
    package private(set) var writes: UInt64 = 0
    /// The total time of all batches, from the call to the server's answer.
    package private(set) var time: Duration = .zero
    package private(set) var longest: Duration = .zero

    mutating func add(_ elapsed: Duration) {
        writes &+= 1
        time += elapsed
        longest = max(longest, elapsed)
    }
}
