import Dispatch
import LightningCoding
import Platform
import ResponderModel

/// A hook that is a program: one JSON object per line for each request, `{"id":1,"method":"info","params":{}}`, and for
/// each response, in any order: `{"id":1,"result":{…}}` or `{"id":1,"error":{…}}`.
///
/// The program is started with the first request, and restarted when it has ended, at most once per second.
final class ProgramHook: HookTransport {
    private typealias Answer = FirstAnswer<Result<HookResponse, BackendFault>>

    private let command: [String]
    private let environment: [String: String]
    private let clock: MonotonicClock
    private let state = Guarded(State())
    private let writing = DispatchQueue(label: "hook-writing")

    private struct State {
        var child: LineProgram?
        var lastStart: MonotonicTime?
        var lastID: UInt64 = 0
        var pending: [UInt64: Answer] = [:]
        var isClosed = false
    }

    init(_ command: [String], environment: [String: String], clock: MonotonicClock = .system) {
        self.command = command
        self.environment = environment
        self.clock = clock
    }

    deinit {
        close()
    }

    func call(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) async throws(BackendFault) -> HookResponse {
        let answer = Answer()
        let (id, child) = try begin(answer)
        let question: JSONValue = [
            "id": .unsigned(id), "method": .string(method.rawValue), "params": .object(parameters),
        ]
        let line = question.serializedBytes() + [UInt8(ascii: "\n")]
        writing.async { if !child.send(line) { child.stop() } }
        defer {
            state.withLock { state in _ = state.pending.removeValue(forKey: id) }
            answer.give(.failure(.timedOut))
        }
        let result = await MonotonicClock.system.race(until: .now + time) { await answer.value() }
        return try (result ?? .failure(.timedOut)).get()
    }

    func close() {
        let child = state.withLock { state in
            state.isClosed = true
            return state.child
        }
        child?.stop()
    }

    /// Registers a pending request with a running program.
    private func begin(_ answer: Answer) throws(BackendFault) -> (UInt64, LineProgram) {
        let begun: Result<(UInt64, LineProgram, isNew: Bool), BackendFault> = state.withLock { state in
            guard !state.isClosed else { return .failure(.unreachable("closed")) }
            do throws(BackendFault) {
                let running = state.child
                let child = if let running { running } else { try start(after: state.lastStart) }
                if running == nil { state.lastStart = clock.now() }
                state.child = child
                state.lastID += 1
                state.pending[state.lastID] = answer
                return .success((state.lastID, child, running == nil))
            } catch {
                return .failure(error)
            }
        }
        let (id, child, isNew) = try begun.get()
        if isNew { read(child) }
        return (id, child)
    }

    private func start(after lastStart: MonotonicTime?) throws(BackendFault) -> LineProgram {
        if let lastStart, clock.now() - lastStart < .seconds(1) {
            throw .unreachable("the program has exited; it restarts in a second")
        }
        return try rethrowing(
            LineProgram(command, environment: environment),
            as: { (error: LineProgram.StartFault) in
                BackendFault.unreachable("the program cannot be started (error \(error.number))")
            })
    }

    private func read(_ child: LineProgram) {
        DispatchQueue(label: "hook-reading").async { [weak self] in
            child.readLines { self?.take($0) }
            self?.ended()
        }
    }

    /// Lines that match no pending request are skipped: a response may come after its timeout.
    private func take(_ line: [UInt8]) {
        guard let message = try? JSONValue(parsing: line), let id = message["id"]?.uint64 else { return }
        let answer = state.withLock { $0.pending[id] }
        if let error = message["error"], !error.isNull {
            answer?.give(.success(.error(error)))
        } else if let result = message["result"] {
            answer?.give(.success(.result(result)))
        } else {
            answer?.give(.failure(.malformedAnswer("neither result nor error")))
        }
    }

    private func ended() {
        let pending = state.withLock { state in
            state.child = nil
            defer { state.pending = [:] }
            return Array(state.pending.values)
        }
        for answer in pending { answer.give(.failure(.unreachable("the program has exited"))) }
    }
}
