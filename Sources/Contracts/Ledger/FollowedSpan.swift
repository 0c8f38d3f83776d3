public import LightningCoding

/// For how long the settlements of a backend have been followed without a break: what it received in that time is known, also when
/// the node has deleted its own record since.
public struct FollowedSpan: Hashable, Sendable {
    /// When that began.
    public let since: UnixTime
    /// Until when it is known to have gone on.
    public let until: UnixTime

    /// Seconds without a sign of following, or by which a clock was set, that are no break: a day. The cursor stays where it was, and
    /// what was paid meanwhile is told of, unless the node deletes its record of a payment sooner than that.
    public static let longestPause: UInt64 = 86_400

    /// Creates a span.
    public init(since: UnixTime, until: UnixTime) {
        self.since = since
        self.until = until
    }

    /// The span with a later sign of following; a new one when that comes after a break.
    public func continued(at now: UnixTime) -> FollowedSpan {
        let pause = max(now.seconds(since: until), until.seconds(since: now))
        return FollowedSpan(since: pause > Self.longestPause ? now : since, until: now)
    }

    /// Whether a payment of an invoice would have been noticed: it was followed from before the invoice was given out until a day
    /// after its time was over.
    public func covers(_ invoice: ExpiredInvoice) -> Bool {
        since <= invoice.createdAt && until >= invoice.expiresAt.adding(seconds: Self.longestPause)
    }
}
