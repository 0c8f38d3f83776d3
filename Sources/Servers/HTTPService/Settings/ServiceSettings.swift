package import LightningCoding

package struct ServiceSettings: Sendable {
    package var listen: ListenAddress
    /// The admin listener's address; must not be reachable from outside.
    package var adminListen: ListenAddress
    /// Seconds for which caches may keep a payRequest; 0 forbids caching.
    package var infoMaxAge: UInt64
    package var limits: ServiceLimits
    package var rates: ServiceRates
    /// Whether the `X-Forwarded-Host` of trusted proxies says which host a payer asked.
    package var trustsForwardedHost: Bool
    /// Seconds for which an unpaid invoice is kept after it expires.
    package var keepExpired: UInt64
    /// How long one answer to a payer may wait for the ledger, over all its calls. Nodes have deadlines of their own.
    package var ledgerTime: Duration
    /// Seconds for which the service still serves when it stops, and says that it is not ready.
    package var drainTime: UInt64

    package init(
        listen: ListenAddress,
        adminListen: ListenAddress,
        infoMaxAge: UInt64 = 60,
        limits: ServiceLimits = ServiceLimits(),
        rates: ServiceRates = ServiceRates(),
        trustsForwardedHost: Bool = false,
        keepExpired: UInt64 = 2_592_000,
        ledgerTime: Duration = .seconds(5),
        drainTime: UInt64 = 0
    ) {
        self.listen = listen
        self.adminListen = adminListen
        self.infoMaxAge = infoMaxAge
        self.limits = limits
        self.rates = rates
        self.trustsForwardedHost = trustsForwardedHost
        self.keepExpired = keepExpired
        self.ledgerTime = ledgerTime
        self.drainTime = drainTime
    }
}
