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
        let id = state.withLock { state in
            state.lastID += 1
            state.pending[state.lastID] = answer
            return state.lastID
        }
        defer {
            state.withLock { state in _ = state.pending.removeValue(forKey: id) }
            answer.give(.failure(.timedOut))
        }
        let question: JSONValue = [
            "id": .unsigned(id), "method": .string(method.rawValue), "params": .object(parameters),
        ]
        let line = question.serializedBytes() + [UInt8(ascii: "\n")]
        writing.async { [self] in
            do throws(BackendFault) {
                let child = try running()
                // One that has failed meanwhile, as with the program before, must not reach this one.
                guard state.withLock({ $0.pending[id] != nil }) else { return }
                if !child.send(line) { child.stop() }
            } catch {
                answer.give(.failure(error))
            }
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

    /// The program, started unless it runs. Starting it blocks, so this is called on `writing` only.
    private func running() throws(BackendFault) -> LineProgram {
        let (running, lastStart, isClosed) = state.withLock { ($0.child, $0.lastStart, $0.isClosed) }
        if isClosed { throw .unreachable("closed") }
        if let running { return running }
        if let lastStart, clock.now() - lastStart < .seconds(1) {
            throw .unreachable("the program has exited; it restarts in a second")
        }
        let child = try rethrowing(
            LineProgram(command, environment: environment),
            as: { (error: LineProgram.StartFault) in
                BackendFault.unreachable("the program cannot be started (error \(error.number))")
            })
        let isClosedNow = state.withLock { state in
            state.child = child
            state.lastStart = clock.now()
            return state.isClosed
        }
        read(child)
        if isClosedNow { child.stop() }
        return child
    }

    private func read(_ child: LineProgram) {
        DispatchQueue(label: "hook-reading").async { [weak self] in
            child.readLines { self?.take($0) }
            self?.failAll(.unreachable("the program has exited"), isEnd: true)
        }
    }

    /// Lines that match no pending request are skipped: a response may come after its timeout. One that begins like a
    /// response and cannot be read, such as one that is too long, may be the response to any of them, unless its id comes first.
    private func take(_ line: [UInt8]) {
        let message: JSONValue
        do throws(JSONFault) {
            message = try JSONValue(parsing: line)
        } catch {
            let fault = BackendFault.malformedAnswer("no JSON: \(error.reason)")
            if let id = Self.firstID(of: line) {
                state.withLock { $0.pending[id] }?.give(.failure(fault))
            } else if line.first == UInt8(ascii: "{") {
                failAll(fault)
            }
            return
        }
        guard let id = message["id"]?.uint64 else { return }
        let answer = state.withLock { $0.pending[id] }
        if let error = message["error"], !error.isNull {
            answer?.give(.success(.error(error)))
        } else if let result = message["result"] {
            answer?.give(.success(.result(result)))
        } else {
            answer?.give(.failure(.malformedAnswer("neither result nor error")))
        }
    }

    private static func firstID(of line: [UInt8]) -> UInt64? {
        let start = Array(#"{"id":"#.utf8)
        guard line.starts(with: start) else { return nil }
        let digits = line.dropFirst(start.count).prefix(21).prefix { (48...57).contains($0) }
        return UInt64(String(decoding: digits, as: UTF8.self))
    }

    private func failAll(_ fault: BackendFault, isEnd: Bool = false) {
        let pending = state.withLock { state in
            if isEnd { state.child = nil }
            defer { state.pending = [:] }
            return Array(state.pending.values)
        }
        for answer in pending { answer.give(.failure(fault)) }
    }
}
