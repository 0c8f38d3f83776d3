/// Counts of requests that all instances share.
public protocol SharedRates: Sendable {
    /// Takes one of the requests that a key has: `burst` at once after a pause, and one more after each interval.
    ///
    /// - Parameters:
    ///   - key: up to 1,024 bytes.
    ///   - interval: 1 nanosecond to 1 day.
    ///   - burst: 1 to 1,000,000.
    /// - Returns: nil when there was one; otherwise how long until there is one, and nothing is taken.
    func take(_ key: [UInt8], every interval: Duration, burst: Int) async throws(LedgerFault) -> Duration?

    /// Gives back what was taken.
    func putBack(_ key: [UInt8], every interval: Duration) async throws(LedgerFault)
}
