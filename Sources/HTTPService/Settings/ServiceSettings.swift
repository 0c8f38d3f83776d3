public import LightningCoding

/// How the service meets the network.
public struct ServiceSettings: Sendable {
    /// Where payers are answered.
    public var listen: ListenAddress
    /// Where the operator is answered; never to be reachable from outside.
    public var adminListen: ListenAddress
    /// Seconds for which the first answer of LNURL-pay may be kept by caches; 0 forbids it.
    public var infoMaxAge: UInt64
    /// What one client may cost.
    public var limits: ServiceLimits
    /// How often somebody may ask.
    public var rates: ServiceRates
    /// How many notifications are worked on at once.
    public var queue: NotificationQueueLimits
    /// How many file descriptors others in this process need, such as our own Lightning peer.
    public var peerDescriptors: Int
    /// Seconds for which an invoice that was never paid is remembered after its time.
    public var keepExpired: UInt64

    /// Creates settings.
    public init(
        listen: ListenAddress,
        adminListen: ListenAddress,
        infoMaxAge: UInt64 = 60,
        limits: ServiceLimits = ServiceLimits(),
        rates: ServiceRates = ServiceRates(),
        queue: NotificationQueueLimits = NotificationQueueLimits(),
        peerDescriptors: Int = 0,
        keepExpired: UInt64 = 2_592_000
    ) {
        self.listen = listen
        self.adminListen = adminListen
        self.infoMaxAge = infoMaxAge
        self.limits = limits
        self.rates = rates
        self.queue = queue
        self.peerDescriptors = peerDescriptors
        self.keepExpired = keepExpired
    }

    /// The file descriptors that are needed beside the listeners: each notification that is worked on may post a reply.
    var otherDescriptors: Int { peerDescriptors + queue.atWork }
}
