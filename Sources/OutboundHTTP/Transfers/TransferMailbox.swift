import CCurl
import Platform

/// A submitted request and the receiver of its outcome.
struct Submission: Sendable {
    let id: TransferID
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let receiver: Receiver

    /// The receiver of a response.
    enum Receiver: Sendable {
        /// A task waiting for the complete response.
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

/// Passes messages from tasks to the loop's thread.
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

    /// Resumes a paused stream.
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

    /// Detaches the handle before the loop ends: waking up a freed handle would crash.
    func detach() {
        messages.detach()
    }
}

/// libcurl's multi handle. Only the loop's thread uses it, except for `curl_multi_wakeup`, which any thread may call.
struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}
