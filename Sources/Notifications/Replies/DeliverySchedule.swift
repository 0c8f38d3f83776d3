public import LightningCrypto

/// When a reply is posted: at once, then 1 s, 3 s and 7 s after the start, each with random jitter, so that replies
/// that failed together are not retried together. Nothing is in flight after 12 s.
public struct DeliverySchedule: Hashable, Sendable {
    /// When each attempt is due, from the start; the first is due at once.
    public let moments: [Duration]
    /// When the last attempt must have ended, from the start.
    public let hardStop: Duration
    /// The timeout of one attempt.
    public let attemptTime: Duration

    /// Creates a custom schedule.
    public init(moments: [Duration], hardStop: Duration, attemptTime: Duration) {
        self.moments = moments
        self.hardStop = hardStop
        self.attemptTime = attemptTime
    }

    /// The default schedule, with jitter of up to a quarter of each pause.
    ///
    /// Without random numbers there is no jitter: the reply matters more.
    public init(random: RandomSource) {
        let drawn = (try? random(2 * Self.usual.count)) ?? []
        var moments: [Duration] = [.zero]
        var previous = Duration.zero
        for (index, moment) in Self.usual.enumerated() {
            let bytes = drawn.dropFirst(2 * index).prefix(2)
            let fraction = bytes.count == 2 ? bytes.reduce(0) { $0 << 8 | Int($1) } : 0
            moments.append(moment + (moment - previous) * fraction / (4 << 16))
            previous = moment
        }
        self.init(moments: moments, hardStop: .seconds(12), attemptTime: .seconds(5))
    }

    private static let usual: [Duration] = [.seconds(1), .seconds(3), .seconds(7)]
}
