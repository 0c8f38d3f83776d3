/// The type of a message between nodes (BOLT 1, "Lightning Message Format"), as far as it says what to do with the message.
public struct PeerMessageType: Hashable, Sendable {
    /// The number on the wire.
    public let number: UInt16

    /// A type by its number.
    public init(_ number: UInt16) {
        self.number = number
    }

    static let warning = PeerMessageType(1)
    static let initialise = PeerMessageType(16)
    static let error = PeerMessageType(17)
    static let ping = PeerMessageType(18)
    static let pong = PeerMessageType(19)
    static let onionMessage = PeerMessageType(513)

    /// What a node without channels and without a map of the network does with a message that it does not read.
    public enum Disposal: Hashable, Sendable {
        /// A message about channels and nodes of the network (BOLT 7).
        case gossip
        /// A message about a channel, of which there is none (BOLT 2).
        case channel
        /// Unknown, and odd: it is all right to be ignored.
        case unknownOdd
        /// Unknown, and even: the connection must be closed.
        case unknownEven
    }

    /// What to do with a message of this type that is none of those that are read.
    public var disposal: Disposal {
        if Self.gossip.contains(number) { return .gossip }
        if Self.channels.contains(number) { return .channel }
        return number % 2 == 0 ? .unknownEven : .unknownOdd
    }

    /// `channel_announcement`, `node_announcement`, `channel_update`, `announcement_signatures`, `query_short_channel_ids`,
    /// `reply_short_channel_ids_end`, `query_channel_range`, `reply_channel_range`, `gossip_timestamp_filter`.
    private static let gossip: Set<UInt16> = [256, 257, 258, 259, 261, 262, 263, 264, 265]

    /// `stfu`; opening and closing a channel; interactive transactions and splices; updates of a channel and its
    /// reestablishment.
    private static let channels: Set<UInt16> = Set(
        [2] + (32...41) + (64...74) + [77, 80, 81] + (127...137))
}
