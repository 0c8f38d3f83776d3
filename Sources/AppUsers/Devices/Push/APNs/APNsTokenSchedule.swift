package import LightningCoding

/// When the token of a key is issued: a pure state machine.
///
/// APNs refuses tokens older than an hour, and keys with more than one new token in 20 minutes, however many connections and
/// processes use it. So tokens are issued at fixed moments, every 40 minutes, which all instances share, each a minute in
/// the past, so that a clock which is a little ahead does no harm. An instance that has begun with a token shortly before the
/// next moment keeps it for 20 minutes, unless it gets too old.
package struct APNsTokenSchedule: Hashable, Sendable {
    /// The seconds from one token to the next.
    package static let period: UInt64 = 2400
    /// The fewest seconds from one token to the next.
    package static let minimumPeriod: UInt64 = 1200

    /// When the current token was issued; nil before the first.
    package private(set) var issuedAt: UnixTime?
    /// When the one before was.
    private var previous: UnixTime?
    /// When this instance has used the current token first.
    private var firstUse: UnixTime?
    /// Until when the one before is used again, since APNs has taken the current one for one too many.
    private var keptUntil: UnixTime?

    /// No token yet.
    package init() {}

    /// The moment at which the token for a push is issued.
    package mutating func moment(at now: UnixTime) -> UnixTime {
        if let issuedAt, let keptUntil, now < keptUntil, issuedAt <= now { return issuedAt }
        if let issuedAt, let firstUse, firstUse <= now, now < firstUse.adding(seconds: Self.minimumPeriod),
            now < issuedAt.adding(seconds: Self.validity)
        {
            return issuedAt
        }
        let shared = UnixTime((max(now.seconds, 60) - 60) / Self.period * Self.period)
        // One that was refused has been replaced between the shared moments.
        if let issuedAt, issuedAt <= now.adding(seconds: 60), shared < issuedAt.adding(seconds: Self.minimumPeriod),
            now < issuedAt.adding(seconds: Self.period)
        {
            return issuedAt
        }
        issue(shared, at: now)
        return shared
    }

    /// APNs has refused the token as expired: the next one is issued now. False when the current one is too young to be
    /// replaced; then the clock is wrong, here or there.
    package mutating func refused(at now: UnixTime) -> Bool {
        if let issuedAt, now < issuedAt.adding(seconds: Self.minimumPeriod), issuedAt <= now { return false }
        issue(now, at: now)
        return true
    }

    /// APNs calls the current token one too many: the one before is used as long as it is valid, so that there is no
    /// third.
    package mutating func tooNew(at now: UnixTime) {
        guard let previous, now < previous.adding(seconds: Self.validity) else { return }
        keptUntil = previous.adding(seconds: Self.validity)
        issuedAt = previous
        self.previous = nil
    }

    /// For how many seconds a token is used: a minute less than APNs takes it.
    private static let validity: UInt64 = 3540

    private mutating func issue(_ moment: UnixTime, at now: UnixTime) {
        guard moment != issuedAt else { return }
        previous = issuedAt
        issuedAt = moment
        firstUse = now
        keptUntil = nil
    }
}
