public import LightningCoding

/// The time over which the settlements of a backend were followed without a gap: payments in it are known even if the
/// node has deleted its own record since.
public struct FollowedSpan: Hashable, Sendable {
    /// Its start.
    public let since: UnixTime
    /// Its end, as far as known.
    public let until: UnixTime

    /// The longest pause, or change of the clock, in seconds, that does not count as a gap: a day. The cursor does not
    /// move meanwhile, so payments are still reported, unless the node deletes its record of a payment sooner.
    public static let longestPause: UInt64 = 86_400

    /// Creates a span.
    public init(since: UnixTime, until: UnixTime) {
        self.since = since
        self.until = until
    }

    /// Extends the span to now; starts a new one after a gap.
    public func continued(at now: UnixTime) -> FollowedSpan {
        let pause = max(now.seconds(since: until), until.seconds(since: now))
        return FollowedSpan(since: pause > Self.longestPause ? now : since, until: now)
    }

    /// Whether a payment of an invoice would have been noticed: following began before the invoice was issued and
    /// lasted until a day after it expired.
    public func covers(_ invoice: ExpiredInvoice) -> Bool {
        since <= invoice.createdAt && until >= invoice.expiresAt.adding(seconds: Self.longestPause)
    }
}
