public import LightningCrypto

/// How many seconds to wait after each failed attempt, with random jitter, so that work that failed together is not
/// retried together.
public struct RetrySchedule: Hashable, Sendable {
    /// The pause after each attempt; there is one attempt more than there are pauses.
    public let pauses: [UInt64]

    /// Creates a schedule.
    public init(pauses: [UInt64]) {
        self.pauses = pauses
    }

    /// Eleven attempts over a day, with pauses of 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h and 8 h.
    public static let day = RetrySchedule(
        pauses: [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800])

    /// Seconds until the next attempt, with jitter of up to a quarter; nil when there is none. Without random numbers
    /// there is no jitter.
    ///
    /// - Parameter attempts: how many were made.
    public func pause(after attempts: UInt64, random: RandomSource) -> UInt64? {
        guard attempts > 0, let index = Int(exactly: attempts - 1), pauses.indices ~= index else { return nil }
        let pause = pauses[index]
        let drawn = ((try? random(2)) ?? [0, 0]).reduce(0) { $0 << 8 | UInt64($1) }
        return pause + pause * drawn / (4 << 16)
    }
}
