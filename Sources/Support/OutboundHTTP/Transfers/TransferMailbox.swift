import CCurl
import LightningCoding
import Platform

struct Submission: Sendable {
    let id: TransferID
    let request: HTTPRequest
    let host: String
    let deadline: MonotonicTime
    let receiver: Receiver

    typealias Outcome = Result<HTTPResponse, OutboundFault>

    enum Receiver: Sendable {
        /// A task waiting for the complete response, and what is called before it goes on.
        case task(CheckedContinuation<Outcome, Never>, end: (@Sendable (Outcome) -> Void)?)
        case stream(StreamPipe)
    }

    init(id: TransferID, request: HTTPRequest, receiver: Receiver) {
        self.id = id
        self.request = request
        host = request.url.authority
        deadline = .now + request.timeout
        self.receiver = receiver
    }

    var isStream: Bool {
        if case .stream = receiver { true } else { false }
    }

    func finish(_ outcome: Outcome) {
        end(outcome)
        resume(outcome)
    }

    /// The first half of the end, which starts what waits for it.
    func end(_ outcome: Outcome) {
        if case .task(_, let end?) = receiver { end(outcome) }
    }

    /// The second half.
    func resume(_ outcome: Outcome) {
        switch receiver {
        case .task(let continuation, _): continuation.resume(returning: outcome)
        case .stream(let pipe): pipe.finish(outcome.map { _ in })
        }
    }
}

/// Messages from tasks to the loop's thread, which blocks in libcurl: a queue under a lock.
final class TransferMailbox: Sendable {
    enum Message: Sendable {
        case submit(Submission)
        case cancel(TransferID)
        case resume(TransferID)
    }

    private struct State: Sendable {
        var messages: [Message] = []
        var isOpen = true
        /// Nil once the loop ends: waking up a freed handle would crash.
        var multi: MultiHandle?
        var lastID: TransferID = 0
    }

    private let state: Guarded<State>

    init(_ multi: MultiHandle) {
        state = Guarded(State(multi: multi))
    }

    func makeID() -> TransferID {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Adds a message; false when the loop is closed.
    @discardableResult
    func post(_ message: Message) -> Bool {
        state.withLock { state in
            guard state.isOpen, let multi = state.multi else { return false }
            state.messages.append(message)
            // The loop takes all messages at once, so only the first needs to wake it.
            if state.messages.count == 1 { curl_multi_wakeup(multi.pointer) }
            return true
        }
    }

    func submit(_ submission: Submission) {
        if !post(.submit(submission)) { submission.finish(.failure(.closed)) }
    }

    /// Accepts no more messages, and wakes the loop to notice.
    func close() {
        state.withLock { state in
            state.isOpen = false
            if let multi = state.multi { curl_multi_wakeup(multi.pointer) }
        }
    }

    /// For the loop: all messages since the last call, and whether more may come.
    func collect() -> (messages: [Message], isOpen: Bool) {
        state.withLock { state in
            let messages = state.messages
            state.messages.removeAll(keepingCapacity: messages.count <= 1024)
            return (messages, state.isOpen)
        }
    }

    /// For the loop's end: from then on the handle is not used.
    func detach() {
        state.withLock { state in
            state.isOpen = false
            state.multi = nil
        }
    }
}

/// libcurl's multi handle. Only the loop's thread uses it, except for `curl_multi_wakeup`, which any thread may call.
struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}
