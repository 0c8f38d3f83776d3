/// What one client may use at a listener: sizes in bytes, times in seconds.
package struct ServiceLimits: Hashable, Sendable {
    package var body: Int
    package var headerField: Int
    /// The largest header section, all fields together.
    package var header: Int
    /// The longest wait for a complete header, counted from the start of the connection or the end of the last
    /// response.
    package var headerTime: UInt64
    /// The longest time from a complete header to the last byte of the response.
    package var requestTime: UInt64
    /// The most connections at once; more wait to be accepted.
    package var connections: Int

    /// The file descriptors needed: for the connections of both listeners, for others, and for the ledger and the
    /// connections to nodes.
    func descriptors(beside others: Int) -> Int {
        let (connections, overflow) = connections.multipliedReportingOverflow(by: Self.listeners)
        let (sum, exceeds) = connections.addingReportingOverflow(others)
        return overflow || exceeds || sum > .max - Self.ownDescriptors ? .max : sum + Self.ownDescriptors
    }

    /// The same limits with connections reduced to fit a number of descriptors; everything else keeps what it needs, up
    /// to half of them.
    func within(descriptors: Int, beside others: Int) -> ServiceLimits {
        let needed = min(others, .max - Self.ownDescriptors) + Self.ownDescriptors
        let free = descriptors - min(needed, descriptors / 2)
        var limits = self
        limits.connections = min(connections, max(1, free / Self.listeners))
        return limits
    }

    /// How many may wait for somebody else, such as a device: each has a connection, and the replies that they wait for, like
    /// all questions that are answered at once, come over others.
    package var waiting: Int { connections - min(connections / 4, 512) }

    private static let listeners = 2
    /// Listening sockets, the ledger and connections to nodes, with a margin: a Core Lightning node that hangs holds 144.
    private static let ownDescriptors = 320

    static let headerFields = 100

    package init(
        body: Int = 16_384,
        headerField: Int = 8_192,
        header: Int = 16_384,
        headerTime: UInt64 = 10,
        requestTime: UInt64 = 30,
        connections: Int = 4_096
    ) {
        self.body = body
        self.headerField = headerField
        self.header = header
        self.headerTime = headerTime
        self.requestTime = requestTime
        self.connections = connections
    }
}
