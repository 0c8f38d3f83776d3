import OnionMessages

/// Why a message was dropped. The raw values are metric labels.
package enum DropReason: String, CaseIterable, Hashable, Sendable {
    /// Gossip (BOLT 7): no network map is kept.
    case gossip
    /// A channel message: there are no channels.
    case channel
    case unknown
    /// A pong without a ping.
    case unasked
    /// The peer sends onion messages above its rate limit.
    case arrivalRate = "arrival-rate"
    case busy
    /// We send onion messages faster than the peer accepts them.
    case departureRate = "departure-rate"
    /// The connection is not open.
    case notOpen = "not-open"
    /// The peer does not support onion messages.
    case notSupported = "not-supported"
    /// The onion is malformed, or not for us.
    case badOnion = "bad-onion"
    /// The onion is to be forwarded to another node, which we do not do.
    case notForUs = "not-for-us"
    /// The onion came over a path that is not ours.
    case strangePath = "strange-path"
    /// The onion carries no request that is answered here.
    case noRequest = "no-request"
    /// There is no reply path.
    case noReplyPath = "no-reply-path"
    /// The reply path begins at a channel, whose nodes are unknown here.
    case unknownChannel = "unknown-channel"
    /// No connected node can carry the answer.
    case unreachable
    /// No answer is sent because of a temporary failure of ours.
    case trouble

    init(_ disposal: PeerMessageType.Disposal) {
        switch disposal {
        case .gossip: self = .gossip
        case .channel: self = .channel
        case .unknownOdd, .unknownEven: self = .unknown
        }
    }
}
