import OnionMessages

/// Why a message went nowhere. The raw values are labels of metrics.
public enum DropReason: String, CaseIterable, Hashable, Sendable {
    /// About the network (BOLT 7), of which no map is kept.
    case gossip
    /// About channels, of which there are none.
    case channel
    /// Of an unknown odd type.
    case unknown
    /// A pong that answers no ping.
    case unasked
    /// The peer sends onion messages faster than they are taken.
    case arrivalRate = "arrival-rate"
    /// More onion messages are waiting to be answered than there may be.
    case busy
    /// The peer takes onion messages slower than we want to send them.
    case departureRate = "departure-rate"
    /// The connection is not open, or not open yet.
    case notOpen = "not-open"
    /// The peer does not carry onion messages.
    case notSupported = "not-supported"
    /// The onion is malformed, or not for us.
    case badOnion = "bad-onion"
    /// The onion wants to go on to another node: we carry for nobody.
    case notForUs = "not-for-us"
    /// The onion came over no path of ours.
    case strangePath = "strange-path"
    /// The onion carries nothing that is answered here.
    case noRequest = "no-request"
    /// There is no way for the answer.
    case noReplyPath = "no-reply-path"
    /// The way for the answer begins at a channel, and nobody here can say whose that is.
    case unknownChannel = "unknown-channel"
    /// Nobody who could carry the answer is connected.
    case unreachable
    /// The answer is not given, because the trouble is ours and may pass.
    case trouble

    init(_ disposal: PeerMessageType.Disposal) {
        switch disposal {
        case .gossip: self = .gossip
        case .channel: self = .channel
        case .unknownOdd, .unknownEven: self = .unknown
        }
    }
}
