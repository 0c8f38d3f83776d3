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
    /// - Throws: `overloaded` when too many wait, `cancelled` when the task is.
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
        tell(.cancelled(id))
        waiting.continuation.resume(returning: .failure(.cancelled))
    }

    /// Takes the end of a request, on the client's thread.
    private func end(
        _ id: ProviderLine.ID, _ isRefusal: (HTTPResponse) -> Bool, _ outcome: Result<HTTPResponse, OutboundFault>
    ) {
        let event: ProviderLine.Event =
            switch outcome {
            case .success(let response): isRefusal(response) ? .refused(id) : .accepted(id)
            case .failure(.cancelled): .cancelled(id)
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
