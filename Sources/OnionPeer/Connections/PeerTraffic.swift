/// What has passed over a connection.
public struct PeerTraffic: Hashable, Sendable {
    /// Bytes that arrived, as they travelled.
    public var bytesIn: UInt64 = 0
    /// Bytes that left, as they travelled.
    public var bytesOut: UInt64 = 0
    /// Onion messages that arrived, and were not too many.
    public var onionsIn: UInt64 = 0
    /// Onion messages that left.
    public var onionsOut: UInt64 = 0
    /// Onion messages that arrived in the last minute.
    public var onionsInLastMinute: UInt64 = 0
    /// Onion messages that left in the last minute.
    public var onionsOutLastMinute: UInt64 = 0
    /// Messages that went nowhere, by reason.
    public var dropped: [DropReason: UInt64] = [:]
    /// What the peer has warned of last.
    public var warning: String?

    /// Nothing yet.
    public init() {}
}
