package import Platform

/// Rate limits for costly requests; nil for none.
package struct ServiceRates: Hashable, Sendable {
    /// Invoice requests, per client network.
    package var network: RateLimit?
    /// payRequest queries, per client network.
    package var info: RateLimit?
    /// Verify queries, per client network.
    package var verify: RateLimit?
    /// Notifications, per client network.
    package var notifier: RateLimit?
    /// Per account: anonymous invoice requests and, counted separately, authenticated notifications.
    package var account: RateLimit?
    /// Questions of payers that only devices of app users could answer, per client network.
    package var device: RateLimit?
    /// Changes of registrations by app users' wallets, per client network.
    package var registration: RateLimit?
    /// Other requests of app users' wallets, per client network.
    package var registrationRead: RateLimit?
    /// Replies for which nobody waits, per client network.
    package var unknownReply: RateLimit?
    /// Questions about forwarded payments, per client network.
    package var forwardingHint: RateLimit?
    /// The proxies whose `X-Forwarded-For` is trusted.
    package var trustedProxies: [NetworkPrefix]

    /// Creates rates; no limits by default.
    package init(
        network: RateLimit? = nil,
        info: RateLimit? = nil,
        verify: RateLimit? = nil,
        notifier: RateLimit? = nil,
        account: RateLimit? = nil,
        device: RateLimit? = nil,
        registration: RateLimit? = nil,
        registrationRead: RateLimit? = nil,
        unknownReply: RateLimit? = nil,
        forwardingHint: RateLimit? = nil,
        trustedProxies: [NetworkPrefix] = []
    ) {
        self.network = network
        self.info = info
        self.verify = verify
        self.notifier = notifier
        self.account = account
        self.device = device
        self.registration = registration
        self.registrationRead = registrationRead
        self.unknownReply = unknownReply
        self.forwardingHint = forwardingHint
        self.trustedProxies = trustedProxies
    }
}
