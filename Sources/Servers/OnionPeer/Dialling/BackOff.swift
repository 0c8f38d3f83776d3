package import LightningCrypto

/// Exponential backoff between attempts to reach a peer: doubled after each failure, up to a bound, with random jitter
/// between half and all of it, so that many clients of the same peer do not reconnect at once.
///
/// | failures | waits |
/// |---|---|
/// | 1 | 0.5 to 1 s |
/// | 2 | 1 to 2 s |
/// | 3 | 2 to 4 s |
/// | 10 and more | 150 to 300 s |
///
/// Misbehavior counts as nine earlier failures. A connection that lasted a minute resets the count.
package struct BackOff: Hashable, Sendable {
    static let first = Duration.seconds(1)
    static let longest = Duration.seconds(300)
    static let lasting = Duration.seconds(60)
    static let failuresOfMisbehavior = 9

    private var failures = 0

    /// Starts without failures.
    package init() {}

    /// Records a failed attempt or an ended connection, and returns the time to wait.
    ///
    /// - Parameters:
    ///   - lasted: how long the connection was up; zero when it never opened.
    ///   - misbehaved: whether the peer broke the rules.
    ///   - random: gives 4 bytes; without them there is no jitter.
    package mutating func wait(
        afterLasting lasted: Duration, misbehaved: Bool, random: RandomSource
    ) -> Duration {
        if lasted >= Self.lasting { failures = 0 }
        if misbehaved { failures = max(failures, Self.failuresOfMisbehavior) }
        failures = min(failures + 1, 16)
        let whole = min(Self.first * (1 << (failures - 1)), Self.longest)
        let chance = (try? random(4))?.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } ?? .max
        return whole / 2 + whole / 2 * (Double(chance) / Double(UInt32.max))
    }
}
