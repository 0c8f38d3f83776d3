public import RateLimiting

/// How often somebody may ask for what costs us something; nil for as often as they like.
public struct ServiceRates: Hashable, Sendable {
    /// Invoices, for each client network.
    public var network: RateLimit?
    /// Questions of what may be sent, for each client network.
    public var info: RateLimit?
    /// Questions of whether an invoice is paid, for each client network.
    public var verify: RateLimit?
    /// Notifications, for each client network.
    public var notifier: RateLimit?
    /// Invoices that anybody asks for, and beside them notifications of those who may send them, for each account.
    public var account: RateLimit?
    /// Whose `X-Forwarded-For` is believed.
    public var trustedProxies: [NetworkPrefix]

    /// Without a word, no limits.
    public init(
        network: RateLimit? = nil,
        info: RateLimit? = nil,
        verify: RateLimit? = nil,
        notifier: RateLimit? = nil,
        account: RateLimit? = nil,
        trustedProxies: [NetworkPrefix] = []
    ) {
        self.network = network
        self.info = info
        self.verify = verify
        self.notifier = notifier
        self.account = account
        self.trustedProxies = trustedProxies
    }
}
