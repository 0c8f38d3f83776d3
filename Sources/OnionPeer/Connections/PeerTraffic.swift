/// The traffic of a connection.
public struct PeerTraffic: Hashable, Sendable {
    /// Bytes received on the wire.
    public var bytesIn: UInt64 = 0
    /// Bytes sent on the wire.
    public var bytesOut: UInt64 = 0
    /// Onion messages received within the rate limit.
    public var onionsIn: UInt64 = 0
    /// Onion messages sent.
    public var onionsOut: UInt64 = 0
    /// Onion messages received in the last minute.
    public var onionsInLastMinute: UInt64 = 0
    /// Onion messages sent in the last minute.
    public var onionsOutLastMinute: UInt64 = 0
    /// Dropped messages, by reason.
    public var dropped: [DropReason: UInt64] = [:]
    /// The peer's last warning.
    public var warning: String?

    /// Starts at zero.
    public init() {}
}
