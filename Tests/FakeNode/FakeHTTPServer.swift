import Glibc
import Platform
package import LoopbackServer

/// The HTTP interface of a fake node, which can be in any mode that a real one can be in.
package final class FakeHTTPServer: Sendable {
    /// What happens to calls.
    package enum Mode: Sendable {
        /// They are answered.
        case well
        /// Nobody is there: connections are closed as soon as they are made.
        case gone
        /// They are taken, and never answered.
        case silent
        /// They are taken, and the connection breaks off.
        case breakingOff
        /// Each is answered with this, whatever it was.
        case answering(LoopbackAnswer)
        /// Each is answered with 100 MB of JSON.
        case flooding
    }

    private struct State: Sendable {
        var mode = Mode.well
        var generation = 0
        var requests: [LoopbackRequest] = []
        var answer: Answer?
        var silent: [LoopbackConnection] = []
    }

    /// Answers a call; nil when it has written its answer itself, after which the connection ends.
    package typealias Answer = @Sendable (LoopbackRequest, LoopbackConnection) -> LoopbackAnswer?

    private let state: Guarded<State>
    private let server: LoopbackServer

    /// Starts a server, which has no answers yet.
    package init() throws {
        let state = Guarded(State())
        self.state = state
        server = try LoopbackServer(raw: { connection in
            if case .gone = state.withLock({ $0.mode }) { return connection.resetOnClose() }
            while let request = connection.readRequest() {
                let (mode, answer) = state.withLock { state in
                    state.requests.append(request)
                    return (state.mode, state.answer)
                }
                switch mode {
                case .well:
                    guard let answer = answer?(request, connection), connection.write(answer.bytes) else { return }
                case .gone, .breakingOff: return connection.resetOnClose()
                case .silent:
                    state.withLock { $0.silent.append(connection) }
                    return connection.readToEnd()
                case .answering(let answer): guard connection.write(answer.bytes) else { return }
                case .flooding: return Self.flood(connection)
                }
            }
        })
    }

    /// Sets who answers from now on.
    package func serve(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Where it listens.
    package var port: UInt16 { server.port }

    /// How calls are treated from now on. Answers without end, and silence, are ended by every change.
    package var mode: Mode {
        get { state.withLock { $0.mode } }
        set {
            let left = state.withLock { state in
                state.mode = newValue
                state.generation += 1
                defer { state.silent = [] }
                return state.silent
            }
            for connection in left { connection.hangUp() }
        }
    }

    /// Counts changes of mode, for answers without end.
    package var generation: Int { state.withLock { $0.generation } }

    /// The calls that were taken so far.
    package var requests: [LoopbackRequest] { state.withLock { $0.requests } }

    private static func flood(_ connection: LoopbackConnection) {
        let megabyte = Array(repeating: UInt8(ascii: " "), count: 1 << 20)
        connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<100 {
            guard connection.write("100000\r\n"), connection.write(megabyte), connection.write("\r\n") else { return }
        }
        connection.write("0\r\n\r\n")
    }
}
