import CCurl
import Locking

/// A request on its way to the loop, with whoever waits for its outcome.
struct Submission: Sendable {
    let id: TransferID
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let receiver: Receiver

    /// Who is told of an answer.
    enum Receiver: Sendable {
        /// A task that waits for the whole of it.
        case task(CheckedContinuation<Result<HTTPResponse, OutboundFault>, Never>)
        /// A pipe that takes it piece by piece.
        case stream(StreamPipe)
    }

    init(id: TransferID, request: HTTPRequest, receiver: Receiver) {
        self.id = id
        self.request = request
        deadline = .now + request.timeout
        self.receiver = receiver
    }

    func finish(_ outcome: Result<HTTPResponse, OutboundFault>) {
        switch receiver {
        case .task(let continuation): continuation.resume(returning: outcome)
        case .stream(let pipe): pipe.finish(outcome.map { _ in })
        }
    }
}

/// How tasks speak to the loop's thread: letters under a lock, and a wake-up.
final class TransferMailbox: Sendable {
    enum Letter: Sendable {
        case submit(Submission)
        case cancel(TransferID)
        case resume(TransferID)
    }

    private struct State: Sendable {
        var nextID: TransferID = 0
        var letters: [Letter] = []
        var isOpen = true
        /// `nil` once the loop has let go of it: waking up a freed handle would be the end of the process.
        var multi: MultiHandle?
    }

    private let state: Guarded<State>

    init(_ multi: MultiHandle) {
        state = Guarded(State(multi: multi))
    }

    func makeID() -> TransferID {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    func submit(_ submission: Submission) {
        if !post(.submit(submission)) { submission.finish(.failure(.closed)) }
    }

    func cancel(_ id: TransferID) {
        _ = post(.cancel(id))
    }

    /// Asks for more of a stream that was held back.
    func resume(_ id: TransferID) {
        _ = post(.resume(id))
    }

    func close() {
        state.withLock { state in
            state.isOpen = false
            if let multi = state.multi { curl_multi_wakeup(multi.pointer) }
        }
    }

    /// All letters since the last call, for the loop.
    func collect() -> (letters: [Letter], isOpen: Bool) {
        state.withLock { state in
            let letters = state.letters
            state.letters.removeAll(keepingCapacity: letters.count <= 1024)
            return (letters, state.isOpen)
        }
    }

    /// Takes the handle out of reach of later wake-ups, for the loop's end.
    func detach() {
        state.withLock { $0.multi = nil }
    }

    private func post(_ letter: Letter) -> Bool {
        state.withLock { state in
            guard state.isOpen, let multi = state.multi else { return false }
            state.letters.append(letter)
            // The loop takes all letters at a time: only the first has to wake it.
            if state.letters.count == 1 { curl_multi_wakeup(multi.pointer) }
            return true
        }
    }
}

/// libcurl's multi handle. Only the loop's thread uses it, except for `curl_multi_wakeup`, which any thread may call.
struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}
