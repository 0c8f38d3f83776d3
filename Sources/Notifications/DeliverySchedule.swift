public import LightningCrypto

/// When a reply is posted: at once, then after 1 s, 3 s and 7 s, counted from the beginning, each a little later at random, so
/// that replies that failed together do not come back together. Nothing is in flight after 12 s.
public struct DeliverySchedule: Hashable, Sendable {
    /// When each attempt is due, counted from the beginning; the first is due at once.
    public let moments: [Duration]
    /// When the last attempt must be over, counted from the beginning.
    public let hardStop: Duration
    /// How long one attempt may take.
    public let attemptTime: Duration

    /// Any other schedule.
    public init(moments: [Duration], hardStop: Duration, attemptTime: Duration) {
        self.moments = moments
        self.hardStop = hardStop
        self.attemptTime = attemptTime
    }

    /// The usual schedule, with jitter of up to a quarter of each pause.
    ///
    /// Without random numbers the attempts are made without jitter: a reply matters more.
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
