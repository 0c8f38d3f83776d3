/// Settings of an operator or an app for notifications.
package struct NotificationSettings: Sendable {
    /// Seconds for which the first LNURL-pay response may be cached. Changes of a description are delayed by as much.
    package var infoMaxAge: UInt64
    /// Seconds for which "not paid yet" may be cached.
    package var openMaxAge: UInt64
    /// Seconds for which "paid" may be cached.
    package var settledMaxAge: UInt64
    /// How often to check for a payment while waiting for it.
    package var followInterval: Duration
    package var texts: NotificationTexts

    /// Creates settings; the cache lifetimes default to a minute, 3 seconds, a week.
    package init(
        infoMaxAge: UInt64 = 60,
        openMaxAge: UInt64 = 3,
        settledMaxAge: UInt64 = 604_800,
        followInterval: Duration = .seconds(1),
        texts: NotificationTexts = NotificationTexts()
    ) {
        self.infoMaxAge = infoMaxAge
        self.openMaxAge = openMaxAge
        self.settledMaxAge = settledMaxAge
        self.followInterval = followInterval
        self.texts = texts
    }
}
