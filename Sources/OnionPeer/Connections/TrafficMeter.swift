import Platform

/// Counts the traffic of a connection.
final class TrafficMeter: Sendable {
    private struct State {
        var traffic = PeerTraffic()
        var waiting = 0
        var arrivals = MinuteCount(at: .now)
        var departures = MinuteCount(at: .now)
    }

    private let state = Guarded(State())

    /// The traffic so far.
    var traffic: PeerTraffic {
        state.withLock { state in
            var traffic = state.traffic
            traffic.onionsInLastMinute = state.arrivals.count(at: .now)
            traffic.onionsOutLastMinute = state.departures.count(at: .now)
            return traffic
        }
    }

    /// How many onion messages are queued.
    var waiting: Int { state.withLock { $0.waiting } }

    func note(_ change: @Sendable (inout PeerTraffic) -> Void) {
        state.withLock { change(&$0.traffic) }
    }

    func noteArrival() {
        state.withLock { state in
            state.traffic.onionsIn &+= 1
            state.arrivals.add(at: .now)
        }
    }

    func noteDeparture() {
        state.withLock { state in
            state.traffic.onionsOut &+= 1
            state.departures.add(at: .now)
        }
    }

    /// A message is about to be queued.
    func expectOne() {
        state.withLock { $0.waiting += 1 }
    }

    /// Sets the length of the queue.
    func setWaiting(_ count: Int) {
        state.withLock { $0.waiting = count }
    }
}
