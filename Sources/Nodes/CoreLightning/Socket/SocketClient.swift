import LightningCoding
import Platform
import ResponderModel

/// The node's JSON-RPC socket. Each command has a connection and a thread of its own: what breaks or hangs concerns nobody
/// else.
final class SocketClient: CommandTransport {
    private let path: String
    private let limits: CallLimits
    private let mostEvents: Int
    private let state = Guarded(State())

    private struct State {
        var pending = 0
        /// Those of them that wait for events are counted apart.
        var pendingEvents = 0
        var lastNumber: UInt64 = 0
    }

    /// Creates the transport; the socket need not exist yet.
    ///
    /// - Parameter mostEvents: how many commands may wait for an event, such as the next settlement, besides those that are
    ///   answered at once.
    init(path: String, _ limits: CallLimits, mostEvents: Int = 16) {
        self.path = path
        self.limits = limits
        self.mostEvents = mostEvents
    }

    func call(_ command: Command) async throws(CommandFault) -> JSONValue {
        guard let number = enter(command) else { throw .backend(.overloaded) }
        let answer = FirstAnswer<Result<JSONValue, CommandFault>>()
        let isStarted = DetachedThread.start { [self] in
            let result = perform(command, number)
            leave(command)
            answer.give(result)
        }
        if !isStarted {
            leave(command)
            throw .backend(.unreachable("no thread"))
        }
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            // The node goes on with the command, which counts until there is an answer or its time is over.
            answer.give(.failure(.canceled))
        }
        .get()
    }

    /// The number of the command; nil when there are too many.
    private func enter(_ command: Command) -> UInt64? {
        state.withLock { state in
            let isFull =
                command.waitsForEvent
                ? state.pendingEvents >= mostEvents : state.pending >= limits.maximumConcurrency
            guard !isFull else { return nil }
            if command.waitsForEvent { state.pendingEvents += 1 } else { state.pending += 1 }
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func leave(_ command: Command) {
        state.withLock { state in
            if command.waitsForEvent { state.pendingEvents -= 1 } else { state.pending -= 1 }
        }
    }

    private func perform(_ command: Command, _ number: UInt64) -> Result<JSONValue, CommandFault> {
        do throws(CommandFault) {
            let socket = try NodeSocket(connectingTo: path, within: limits.connectTimeout)
            let response = try socket.exchange(
                command.request(number), within: command.timeout, DocumentSplitter(limits: limits.json))
            return .success(try result(in: response, of: number))
        } catch {
            return .failure(error)
        }
    }

    private func result(in response: [UInt8], of number: UInt64) throws(CommandFault) -> JSONValue {
        let message = try rethrowing(JSONValue(parsing: response, limits: limits.json)) { (fault: JSONFault) in
            CommandFault.malformed("no JSON: \(fault.reason)")
        }
        guard message["id"].flatMap(Command.number(ofAnswer:)) == number else {
            throw .malformed("an answer without a request")
        }
        if let result = message["result"] { return result }
        throw message["error"].flatMap { CommandFault(error: $0) } ?? .malformed("neither result nor error")
    }
}
