public import LightningCrypto

/// How long to wait before the next attempt to reach a peer: twice as long after each failure, up to a bound, and between the
/// half and the whole of that by chance, so that many who lost the same peer do not come back at the same moment.
///
/// | failures | waits |
/// |---|---|
/// | 1 | 0.5 to 1 s |
/// | 2 | 1 to 2 s |
/// | 3 | 2 to 4 s |
/// | 10 and more | 150 to 300 s |
///
/// A peer that has misbehaved waits as one that has failed nine times already. A connection that has lasted a minute makes up
/// for everything before.
public struct BackOff: Hashable, Sendable {
    static let first = Duration.seconds(1)
    static let longest = Duration.seconds(300)
    static let lasting = Duration.seconds(60)
    static let failuresOfMisbehaviour = 9

    private var failures = 0

    /// Nothing has failed yet.
    public init() {}

    /// Notes that an attempt has failed, or a connection has ended, and gives the time to wait.
    ///
    /// - Parameters:
    ///   - lasted: how long the connection was up; zero when it never was.
    ///   - misbehaved: whether the peer has broken the rules.
    ///   - random: gives 4 bytes; without them the whole time is waited.
    public mutating func wait(
        afterLasting lasted: Duration, misbehaved: Bool, random: RandomSource
    ) -> Duration {
        if lasted >= Self.lasting { failures = 0 }
        if misbehaved { failures = max(failures, Self.failuresOfMisbehaviour) }
        failures = min(failures + 1, 16)
        let whole = min(Self.first * (1 << (failures - 1)), Self.longest)
        let chance = (try? random(4))?.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } ?? .max
        return whole / 2 + whole / 2 * (Double(chance) / Double(UInt32.max))
    }
}
