package import CoreMetrics
import OnionMessages
import Platform

package struct PeerMetrics: Sendable {
    private let connections: Meter
    private let arrived: Counter
    private let departed: Counter
    private let dropped: [DropReason: Counter]
    private let answers: Timer

    package init(_ factory: any MetricsFactory) {
        connections = Meter(label: "responder_peer_connections", factory: factory)
        arrived = Counter(label: "responder_peer_messages_total", dimensions: [("direction", "in")], factory: factory)
        departed = Counter(label: "responder_peer_messages_total", dimensions: [("direction", "out")], factory: factory)
        answers = Timer(label: "responder_peer_answer_seconds", factory: factory)
        dropped = Dictionary(
            uniqueKeysWithValues: DropReason.allCases.map { reason in
                let dimensions = [("reason", reason.rawValue)]
                return (
                    reason, Counter(label: "responder_peer_dropped_total", dimensions: dimensions, factory: factory)
                )
            })
    }

    func setConnections(_ count: Int) { connections.set(count) }
    func noteArrival() { arrived.increment() }
    func noteDeparture() { departed.increment() }

    package func note(_ reason: DropReason) { dropped[reason]?.increment() }

    /// A request was answered, this long after it arrived.
    package func noteAnswer(after time: Duration) {
        answers.recordNanoseconds(time.wholeNanoseconds)
    }
}

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
