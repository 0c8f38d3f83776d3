public import OutboundHTTP
public import Platform

/// Sends requests to one server of a provider over HTTP/2, in the order of a ``ProviderLine``.
public final class ProviderConnection: Sendable {
    private struct State: Sendable {
        var line: ProviderLine
        var client: HTTPClient?
        var lastID: ProviderLine.ID = 0
        var waiting: [ProviderLine.ID: CheckedContinuation<Bool, Never>] = [:]
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
    public init(_ configuration: HTTPClient.Configuration, maximum: Int = 100, clock: MonotonicClock = .system) {
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
    ///   - isRefusal: whether an answer refuses the credential, so that the connection is as good as new.
    /// - Throws: `overloaded` when too many wait, `cancelled` when the task is.
    public func send(
        _ request: HTTPRequest, _ priority: PushPriority, key: String?, isRefusal: @Sendable (HTTPResponse) -> Bool
    ) async throws(OutboundFault) -> HTTPResponse {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        guard await turn(of: id, priority, key) else { throw Task.isCancelled ? .cancelled : .overloaded }
        do {
            let response = try await client().send(request)
            tell(isRefusal(response) ? .refused(id) : .accepted(id))
            return response
        } catch {
            tell(error == .cancelled ? .cancelled(id) : .lost(id))
            throw error
        }
    }

    /// Sends all further requests over a new connection.
    public func reconnect() {
        tell(.reconnectWanted)
    }

    /// True when the request is to be sent now.
    private func turn(of id: ProviderLine.ID, _ priority: PushPriority, _ key: String?) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting[id] = continuation }
                tell(.submitted(id, priority, key: key))
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: ProviderLine.ID) {
        // A request that has started is told by its own end.
        guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
        tell(.cancelled(id))
        waiting.resume(returning: false)
    }

    private func client() throws(OutboundFault) -> HTTPClient {
        try state.withLock { state throws(OutboundFault) in
            if let client = state.client { return client }
            let client = try HTTPClient(configuration)
            state.client = client
            return client
        }
    }

    private func tell(_ event: ProviderLine.Event) {
        let ended = state.withLock { state in
            var ended: [(CheckedContinuation<Bool, Never>, Bool)] = []
            for action in state.line.on(event, at: clock.now()) {
                switch action {
                case .start(let id):
                    if let waiting = state.waiting.removeValue(forKey: id) { ended.append((waiting, true)) }
                case .refuse(let id):
                    if let waiting = state.waiting.removeValue(forKey: id) { ended.append((waiting, false)) }
                // Those on their way keep the old client until they end.
                case .reconnect: state.client = nil
                }
            }
            return ended
        }
        for (waiting, mayStart) in ended { waiting.resume(returning: mayStart) }
    }
}
