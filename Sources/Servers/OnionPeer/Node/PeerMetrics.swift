import Platform
package import CoreMetrics

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
