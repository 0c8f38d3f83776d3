import CCurl
import Platform

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

/// How tasks speak to the loop's thread.
final class TransferMailbox: Sendable {
    enum Message: Sendable {
        case submit(Submission)
        case cancel(TransferID)
        case resume(TransferID)
    }

    private let messages: Mailbox<Message>
    private let lastID = Guarded<TransferID>(0)

    init(_ multi: MultiHandle) {
        messages = Mailbox { curl_multi_wakeup(multi.pointer) }
    }

    func makeID() -> TransferID {
        lastID.withLock { last in
            last += 1
            return last
        }
    }

    func submit(_ submission: Submission) {
        if !messages.post(.submit(submission)) { submission.finish(.failure(.closed)) }
    }

    func cancel(_ id: TransferID) {
        _ = messages.post(.cancel(id))
    }

    /// Asks for more of a stream that was held back.
    func resume(_ id: TransferID) {
        _ = messages.post(.resume(id))
    }

    func close() {
        messages.close()
    }

    /// All messages since the last call, for the loop.
    func collect() -> (messages: [Message], isOpen: Bool) {
        messages.collect()
    }

    /// Takes the handle out of reach of later wake-ups, for the loop's end: waking up a freed handle would be the end of the
    /// process.
    func detach() {
        messages.detach()
    }
}

/// libcurl's multi handle. Only the loop's thread uses it, except for `curl_multi_wakeup`, which any thread may call.
struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}
