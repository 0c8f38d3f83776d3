/// The type of a message between nodes (BOLT 1, "Lightning Message Format"), which determines how unparsed messages are
/// handled.
public struct PeerMessageType: Hashable, Sendable {
    /// The number on the wire.
    public let number: UInt16

    /// Creates a type from its number.
    public init(_ number: UInt16) {
        self.number = number
    }

    static let warning = PeerMessageType(1)
    static let initialize = PeerMessageType(16)
    static let error = PeerMessageType(17)
    static let ping = PeerMessageType(18)
    static let pong = PeerMessageType(19)
    static let onionMessage = PeerMessageType(513)

    /// How a node without channels and network map handles a message that it does not parse.
    public enum Disposal: Hashable, Sendable {
        /// A gossip message (BOLT 7).
        case gossip
        /// A channel message (BOLT 2): there are no channels.
        case channel
        /// Unknown and odd: may be ignored.
        case unknownOdd
        /// Unknown and even: the connection must be closed.
        case unknownEven
    }

    /// How an unparsed message of this type is handled.
    public var disposal: Disposal {
        if Self.gossip.contains(number) { return .gossip }
        if Self.channels.contains(number) { return .channel }
        return number % 2 == 0 ? .unknownEven : .unknownOdd
    }

    /// `channel_announcement`, `node_announcement`, `channel_update`, `announcement_signatures`, `query_short_channel_ids`,
    /// `reply_short_channel_ids_end`, `query_channel_range`, `reply_channel_range`, `gossip_timestamp_filter`.
    private static let gossip: Set<UInt16> = [256, 257, 258, 259, 261, 262, 263, 264, 265]

    /// `stfu`; opening and closing channels; interactive transactions and splices; channel updates and reestablishment.
    private static let channels: Set<UInt16> = Set(
        [2] + (32...41) + (64...74) + [77, 80, 81] + (127...137))
}
