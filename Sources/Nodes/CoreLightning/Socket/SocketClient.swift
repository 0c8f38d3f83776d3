import LightningCoding
import Platform

/// The node's JSON-RPC socket: one connection for all commands, opened on demand and reopened when it breaks.
actor SocketClient: CommandTransport {
    private enum State {
        case idle
        case connecting(Task<Result<SocketConnection, CommandFault>, Never>)
        case connected(SocketConnection)
        case closed
    }

    private let path: String
    private let limits: CommandLimits
    private var state = State.idle
    private var pace = ReconnectPace()

    /// Creates the transport; the socket need not exist yet.
    init(path: String, _ limits: CommandLimits) {
        self.path = path
        self.limits = limits
    }

    func call(_ command: Command) async throws(CommandFault) -> JSONValue {
        let connection = try await connection()
        do throws(CommandFault) {
            let result = try await connection.call(command)
            pace.succeeded()
            return result
        } catch {
            note(error)
            throw error
        }
    }

    func close() {
        switch state {
        case .connected(let connection): connection.close()
        case .connecting(let attempt): Task { try? await attempt.value.get().close() }
        case .idle, .closed: break
        }
        state = .closed
    }

    /// The open connection, or a new one; soon after a failure all callers share one attempt.
    private func connection() async throws(CommandFault) -> SocketConnection {
        switch state {
        case .closed: throw .closed
        case .connected(let connection) where connection.isOpen: return connection
        case .connecting(let attempt): return try await attempt.value.get()
        case .connected, .idle: return try await connect()
        }
    }

    private func connect() async throws(CommandFault) -> SocketConnection {
        let pause = pace.pause(at: .now)
        let attempt = Task { [path, limits] () -> Result<SocketConnection, CommandFault> in
            if let pause { try? await Task.sleep(for: pause) }
            do throws(CommandFault) {
                return .success(try await SocketConnection.open(path, limits))
            } catch {
                return .failure(error)
            }
        }
        state = .connecting(attempt)
        let outcome = await attempt.value
        if case .closed = state {
            try outcome.get().close()
            throw .closed
        }
        switch outcome {
        case .success(let connection):
            state = .connected(connection)
            return connection
        case .failure(let fault):
            state = .idle
            pace.failed(at: .now)
            throw fault
        }
    }

    /// A lost connection counts as a failure to connect unless the node has responded on it: a node that accepts and
    /// drops every connection is not retried at once.
    private func note(_ fault: CommandFault) {
        switch fault {
        case .refused, .notPermitted: pace.succeeded()
        case .connectionLost, .malformed:
            // When several tasks lose the same connection, only the first counts.
            if pace.pause(at: .now) == nil { pace.failed(at: .now) }
        case .unreachable, .timedOut, .overloaded, .cancelled, .closed: break
        }
    }
}

/// When the next connection attempt may be made: at once after a working connection, with backoff after failures.
struct ReconnectPace {
    /// The pause after the first failure; doubled after each further one.
    static let firstPause = Duration.milliseconds(50)
    /// The longest pause. A payment must show within a second, so pauses must be shorter.
    static let longestPause = Duration.milliseconds(800)

    private var failures = 0
    private var notBefore: MonotonicTime?

    /// How long to wait before the next attempt; nil when it may be made now.
    func pause(at now: MonotonicTime) -> Duration? {
        guard let notBefore, now < notBefore else { return nil }
        return notBefore - now
    }

    /// An attempt failed, or its connection was lost before any response.
    mutating func failed(at now: MonotonicTime) {
        let doublings = min(failures, 10)
        notBefore = now + min(Self.firstPause * (1 << doublings), Self.longestPause)
        failures += 1
    }

    mutating func succeeded() {
        failures = 0
        notBefore = nil
    }
}
