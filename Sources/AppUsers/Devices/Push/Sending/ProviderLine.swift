import OutboundHTTP
package import Platform

/// The requests of one connection with a push provider: which are on their way and which wait, and when another connection
/// is needed. A pure state machine.
///
/// A provider may allow one request at a time until it has accepted a credential, and say so too late for the client. So the
/// first request on a connection goes alone, and so does each that finds none on its way: the provider may have closed the
/// idle connection, which the client does not notice before it uses it. The more urgent goes first; of two
/// messages for one device with one collapse id, the second waits for the end of the first.
package struct ProviderLine: Sendable {
    package typealias ID = UInt64

    package enum Event: Hashable, Sendable {
        /// A request is to be sent; no two with one key are on their way at once.
        case submitted(ID, PushPriority, key: String?)
        /// Nobody waits for it.
        case cancelled(ID)
        /// A request was answered, and its credential accepted.
        case accepted(ID)
        /// A request was answered with a refusal of its credential.
        case refused(ID)
        /// A request was not answered: the connection is lost, or hangs.
        case lost(ID)
        case reconnectWanted
    }

    package enum Action: Hashable, Sendable {
        /// Send it, on the current connection.
        case start(ID)
        /// It is not sent: too many wait.
        case refuse(ID)
        /// Requests started from now on go over a new connection; those on their way stay on the old one.
        case reconnect
    }

    private enum Gate {
        /// Nothing was accepted on this connection.
        case closed
        /// One request is on its way alone.
        case probing(ID)
        /// A credential was accepted.
        case open
    }

    private struct Started {
        let key: String?
        let connection: Int
    }

    /// How many requests are on their way at once.
    package let maximum: Int
    package let maximumWaiting: Int
    /// A connection is used for so long. FCM ends its own after an hour.
    package static let lifetime = Duration.seconds(50 * 60)

    private var gate = Gate.closed
    private var connection = 0
    /// When the connection was first seen to work.
    private var begun: MonotonicTime?
    private var started: [ID: Started] = [:]
    private var waiting: [PushPriority: ArraySlice<(id: ID, key: String?)>] = [:]
    private var keys: Set<String> = []

    /// A line without requests.
    package init(maximum: Int = 100, maximumWaiting: Int = 10_000) {
        self.maximum = max(1, maximum)
        self.maximumWaiting = maximumWaiting
    }

    package var inFlight: Int { started.count }

    package mutating func on(_ event: Event, at now: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .submitted(let id, let priority, let key):
            guard waiting.values.reduce(0, { $0 + $1.count }) < maximumWaiting else { return [.refuse(id)] }
            if case .open = gate, !started.values.contains(where: isCurrent) { gate = .closed }
            waiting[priority, default: []].append((id, key))
        case .cancelled(let id):
            for priority in PushPriority.allCases { waiting[priority]?.removeAll { $0.id == id } }
            if let ended = end(id), isCurrent(ended), case .probing(id) = gate { gate = .closed }
        case .accepted(let id):
            if let ended = end(id), isCurrent(ended) { open(at: now) }
        case .refused(let id):
            if let ended = end(id), isCurrent(ended), case .probing(id) = gate { gate = .closed }
        case .lost(let id):
            if let ended = end(id), isCurrent(ended) { actions.append(reconnected()) }
        case .reconnectWanted: actions.append(reconnected())
        }
        return actions + start(at: now)
    }

    private mutating func end(_ id: ID) -> Started? {
        guard let ended = started.removeValue(forKey: id) else { return nil }
        if let key = ended.key { keys.remove(key) }
        return ended
    }

    private func isCurrent(_ ended: Started) -> Bool { ended.connection == connection }

    private mutating func open(at now: MonotonicTime) {
        begun = begun ?? now
        gate = .open
    }

    private mutating func reconnected() -> Action {
        connection += 1
        begun = nil
        gate = .closed
        return .reconnect
    }

    private mutating func start(at now: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        if let begun, now - begun >= Self.lifetime { actions.append(reconnected()) }
        while isOpen, let next = takeNext() {
            started[next.id] = Started(key: next.key, connection: connection)
            if let key = next.key { keys.insert(key) }
            if case .closed = gate { gate = .probing(next.id) }
            actions.append(.start(next.id))
        }
        return actions
    }

    private var isOpen: Bool {
        switch gate {
        case .closed: true
        case .probing: false
        case .open: started.count < maximum
        }
    }

    private mutating func takeNext() -> (id: ID, key: String?)? {
        for priority in PushPriority.allCases {
            guard let line = waiting[priority],
                let index = line.firstIndex(where: { !($0.key.map(keys.contains) ?? false) })
            else { continue }
            return index == line.startIndex ? waiting[priority]?.popFirst() : waiting[priority]?.remove(at: index)
        }
        return nil
    }
}

/// Two connections with one server: whoever waits for a device's reply never waits behind other messages.
struct ProviderLanes: Sendable {
    private let replies: ProviderConnection
    private let others: ProviderConnection

    init(_ configuration: HTTPClient.Configuration, clock: MonotonicClock) {
        replies = ProviderConnection(configuration, clock: clock)
        others = ProviderConnection(configuration, clock: clock)
    }

    subscript(_ priority: PushPriority) -> ProviderConnection { priority == .reply ? replies : others }

    /// How long a request may take: less than whoever has asked for the push message waits, so that they are told in time. It
    /// is not repeated then, since the provider may have taken it.
    static let timeout = Duration.seconds(8)
}

extension PushVerdict {
    /// What follows when there is no answer.
    init(_ fault: OutboundFault) {
        switch fault {
        case .connectionLost: self = .connectionEnded
        case .timeout: self = .unanswered(fault.reason)
        case .tls: self = .untrusted(fault.reason)
        default: self = .unavailable(fault.reason, retryAfter: nil)
        }
    }
}
