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
        if !post(submission) { submission.finish(.failure(.closed)) }
    }

    /// False when the loop is closed.
    func post(_ submission: Submission) -> Bool {
        messages.post(.submit(submission))
    }

    func cancel(_ id: TransferID) {
        _ = messages.post(.cancel(id))
    }

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
