import LightningCoding
package import OutboundHTTP
package import Platform

/// Sends requests to one server of a provider over HTTP/2, in the order of a ``ProviderLine``.
///
/// The end of a request starts those that wait for it on the client's thread, without a task between them, so that they leave
/// together.
package final class ProviderConnection: Sendable {
    /// A class, since it passes through several hands.
    private final class Waiting: Sendable {
        let request: HTTPRequest
        let isRefusal: @Sendable (HTTPResponse) -> Bool
        let continuation: CheckedContinuation<Result<HTTPResponse, OutboundFault>, Never>

        init(
            _ request: HTTPRequest, _ isRefusal: @escaping @Sendable (HTTPResponse) -> Bool,
            _ continuation: CheckedContinuation<Result<HTTPResponse, OutboundFault>, Never>
        ) {
            self.request = request
            self.isRefusal = isRefusal
            self.continuation = continuation
        }
    }

    private struct State: Sendable {
        var line: ProviderLine
        var client: HTTPClient?
        var lastID: ProviderLine.ID = 0
        var waiting: [ProviderLine.ID: Waiting] = [:]
        /// Those on their way, which keep their client until they end.
        var sent: [ProviderLine.ID: HTTPClient.Sending] = [:]
    }

    private let configuration: HTTPClient.Configuration
    private let clock: MonotonicClock
    private let state: Guarded<State>

    /// Creates a connection, which is made by its first request.
    ///
    /// - Parameters:
    ///   - configuration: of the client; see ``HTTPClient/Configuration/http2``.
    ///   - maximum: how many requests are on their way at once.
    ///   - clock: tells how old the connection is.
    package init(_ configuration: HTTPClient.Configuration, maximum: Int = 100, clock: MonotonicClock = .system) {
        var configuration = configuration
        configuration.maximumConcurrency = maximum
        self.configuration = configuration
        self.clock = clock
        state = Guarded(State(line: ProviderLine(maximum: maximum)))
    }

    /// Sends a request when its turn has come.
    ///
    /// - Parameters:
    ///   - request: the request, whose timeout counts from then on.
    ///   - priority: which request goes first.
    ///   - key: no two requests with the same key are on their way at once.
    ///   - isRefusal: whether an answer refuses the credential, so that the connection is as good as new. It must not block.
    /// - Throws: `overloaded` when too many wait, `canceled` when the task is.
    package func send(
        _ request: HTTPRequest, _ priority: PushPriority, key: String?,
        isRefusal: @escaping @Sendable (HTTPResponse) -> Bool
    ) async throws(OutboundFault) -> HTTPResponse {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiting = Waiting(request, isRefusal, continuation)
                tell(.submitted(id, priority, key: key)) { $0.waiting[id] = waiting }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try outcome.get()
    }

    package func reconnect() {
        tell(.reconnectWanted)
    }

    private func cancel(_ id: ProviderLine.ID) {
        let waiting = state.withLock { state in
            // A request that has started is told by its own end.
            state.sent[id]?.cancel()
            return state.waiting.removeValue(forKey: id)
        }
        guard let waiting else { return }
        tell(.canceled(id))
        waiting.continuation.resume(returning: .failure(.canceled))
    }

    /// Takes the end of a request, on the client's thread.
    private func end(
        _ id: ProviderLine.ID, _ isRefusal: (HTTPResponse) -> Bool, _ outcome: Result<HTTPResponse, OutboundFault>
    ) {
        let event: ProviderLine.Event =
            switch outcome {
            case .success(let response): isRefusal(response) ? .refused(id) : .accepted(id)
            case .failure(.canceled): .canceled(id)
            case .failure: .lost(id)
            }
        tell(event) { $0.sent[id] = nil }
    }

    private func tell(_ event: ProviderLine.Event, _ change: (inout State) -> Void = { _ in }) {
        let refused = state.withLock { state in
            change(&state)
            return take(event, &state)
        }
        for (waiting, fault) in refused { waiting.continuation.resume(returning: .failure(fault)) }
    }

    /// Starts what may start, and returns what is not sent.
    private func take(_ event: ProviderLine.Event, _ state: inout State) -> [(Waiting, OutboundFault)] {
        var refused: [(Waiting, OutboundFault)] = []
        var events = [event]
        while let event = events.popLast() {
            for action in state.line.on(event, at: clock.now()) {
                switch action {
                case .start(let id):
                    guard let waiting = state.waiting.removeValue(forKey: id) else { continue }
                    do throws(OutboundFault) {
                        state.sent[id] = try start(id, waiting, &state)
                    } catch {
                        refused.append((waiting, error))
                        events.append(.lost(id))
                    }
                case .refuse(let id):
                    if let waiting = state.waiting.removeValue(forKey: id) { refused.append((waiting, .overloaded)) }
                case .reconnect: state.client = nil
                }
            }
        }
        return refused
    }

    private func start(
        _ id: ProviderLine.ID, _ waiting: Waiting, _ state: inout State
    ) throws(OutboundFault) -> HTTPClient.Sending {
        let client = if let open = state.client { open } else { try HTTPClient(configuration) }
        state.client = client
        let isRefusal = waiting.isRefusal
        return try client.start(waiting.request, resuming: waiting.continuation) { self.end(id, isRefusal, $0) }
    }
}

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
        case canceled(ID)
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
        let since: MonotonicTime
    }

    /// How many requests are on their way at once.
    package let maximum: Int
    package let maximumWaiting: Int
    /// A connection is used for so long. FCM ends its own after an hour.
    package static let lifetime = Duration.seconds(50 * 60)
    /// After how long without an answer a connection is given up when whoever sent the only request on it hangs up: it may be
    /// dead, and the next sender may have no more patience.
    private static let patience = Duration.seconds(3)

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
        case .canceled(let id):
            for priority in PushPriority.allCases { waiting[priority]?.removeAll { $0.id == id } }
            if let ended = end(id), isCurrent(ended), case .probing(id) = gate {
                gate = .closed
                if now - ended.since >= Self.patience { actions.append(reconnected()) }
            }
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
            started[next.id] = Started(key: next.key, connection: connection, since: now)
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

/// The way to one server of a provider: two connections, since whoever waits for a device's reply never waits behind other
/// messages, and the pauses that it asks for.
struct ProviderRoute: Sendable {
    private let replies: ProviderConnection
    private let others: ProviderConnection
    private let pauses = PushPauses()
    private let clock: MonotonicClock

    init(_ configuration: HTTPClient.Configuration, clock: MonotonicClock) {
        replies = ProviderConnection(configuration, clock: clock)
        others = ProviderConnection(configuration, clock: clock)
        self.clock = clock
    }

    /// How long a request may take: less than whoever has asked for the push message waits, so that they are told in time. It
    /// is not repeated then, since the provider may have taken it.
    static let timeout = Duration.seconds(8)

    private func connection(for priority: PushPriority) -> ProviderConnection { priority == .reply ? replies : others }

    /// Sends a message to a device, unless there is a pause.
    ///
    /// - Parameters:
    ///   - request: makes the request.
    ///   - meaning: what an answer means. It must not block.
    func send(
        _ message: PushMessage, to device: String, request: () async throws(PushVerdict) -> HTTPRequest,
        meaning: @escaping @Sendable (HTTPResponse) -> PushVerdict
    ) async -> PushVerdict {
        if let pause = pauses.verdict(of: device, at: clock.now()) { return pause }
        do throws(PushVerdict) {
            let request = try await request()
            let response = try await awaiting(
                await connection(for: message.priority).send(
                    request, message.priority, key: message.collapseID.map { "\(device) \($0)" }
                ) { meaning($0).refusesCredential }, as: PushVerdict.init)
            let verdict = meaning(response)
            pauses.note(verdict, of: device, at: clock.now())
            return verdict
        } catch {
            return error
        }
    }

    /// Carries out a step that concerns connections and pauses.
    func perform(_ step: PushStep, _ priority: PushPriority) {
        switch step {
        case .reconnect: connection(for: priority).reconnect()
        case .pauseCredential: pauses.beginAfterRefusal(at: clock.now())
        case .pauseProvider(let seconds): pauses.begin(seconds: seconds, at: clock.now())
        case .renewCredential, .keepCredential, .sendToOtherEnvironment, .sendAgain, .alarm, .end: break
        }
    }
}

extension PushVerdict {
    /// What follows when there is no answer.
    init(_ fault: OutboundFault) {
        switch fault {
        case .connectionLost: self = .connectionEnded
        case .timeout: self = .unanswered(fault.reason)
        case .tls: self = .untrusted(fault.reason)
        case .canceled, .overloaded: self = .withdrawn(fault.reason)
        default: self = .unavailable(fault.reason, retryAfter: nil)
        }
    }
}
