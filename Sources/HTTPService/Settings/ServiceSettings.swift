public import LightningCoding

/// The settings of the HTTP service.
public struct ServiceSettings: Sendable {
    /// The public listener's address.
    public var listen: ListenAddress
    /// The admin listener's address; must not be reachable from outside.
    public var adminListen: ListenAddress
    /// Seconds for which caches may keep a payRequest; 0 forbids caching.
    public var infoMaxAge: UInt64
    /// What one client may use.
    public var limits: ServiceLimits
    /// The rate limits.
    public var rates: ServiceRates
    /// Whether the `X-Forwarded-Host` of trusted proxies says which host a payer asked.
    public var trustsForwardedHost: Bool
    /// How many notifications are processed at once.
    public var queue: NotificationQueueLimits
    /// File descriptors that other parts of this process need, such as our own Lightning peer.
    public var peerDescriptors: Int
    /// Seconds for which an unpaid invoice is kept after it expires.
    public var keepExpired: UInt64

    /// Creates settings.
    public init(
        listen: ListenAddress,
        adminListen: ListenAddress,
        infoMaxAge: UInt64 = 60,
        limits: ServiceLimits = ServiceLimits(),
        rates: ServiceRates = ServiceRates(),
        trustsForwardedHost: Bool = false,
        queue: NotificationQueueLimits = NotificationQueueLimits(),
        peerDescriptors: Int = 0,
        keepExpired: UInt64 = 2_592_000
    ) {
        self.listen = listen
        self.adminListen = adminListen
        self.infoMaxAge = infoMaxAge
        self.limits = limits
        self.rates = rates
        self.trustsForwardedHost = trustsForwardedHost
        self.queue = queue
        self.peerDescriptors = peerDescriptors
        self.keepExpired = keepExpired
    }

    /// The file descriptors needed besides the listeners: each notification in progress may post a reply.
    var otherDescriptors: Int { peerDescriptors + queue.atWork }
}
