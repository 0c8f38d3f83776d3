import Platform

/// Connects the loop's thread, which writes, with one task, which reads. Bounded: a full pipe pauses the transfer, a
/// drained one resumes it.
final class StreamPipe: Sendable {
    /// How many bytes it may hold; libcurl delivers up to 16 KiB at a time.
    static let capacity = 256 << 10

    private struct State: Sendable {
        var events: ArraySlice<HTTPStreamEvent> = []
        var bytes = 0
        var isPaused = false
        var end: Result<HTTPStreamEvent?, OutboundFault>?
        var reader: CheckedContinuation<Result<HTTPStreamEvent?, OutboundFault>, Never>?
    }

    private let state = Guarded(State())
    private let resume: @Sendable () -> Void
    private let cancel: @Sendable () -> Void

    /// - Parameters:
    ///   - resume: asks the loop to resume the transfer.
    ///   - cancel: asks the loop to cancel it.
    init(resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        self.resume = resume
        self.cancel = cancel
    }

    /// Accepts an event; false when the pipe is full, and the loop must offer it again later.
    func write(_ event: HTTPStreamEvent) -> Bool {
        let (accepted, reader) = state.withLock { state in
            guard state.bytes == 0 || state.bytes + event.count <= Self.capacity else {
                state.isPaused = true
                return (false, nil as CheckedContinuation<Result<HTTPStreamEvent?, OutboundFault>, Never>?)
            }
            if let reader = state.reader {
                state.reader = nil
                return (true, reader)
            }
            state.events.append(event)
            state.bytes += event.count
            return (true, nil)
        }
        reader?.resume(returning: .success(event))
        return accepted
    }

    /// Ends the pipe: buffered data can still be read.
    func finish(_ outcome: Result<Void, OutboundFault>) {
        let end: Result<HTTPStreamEvent?, OutboundFault> = outcome.map { nil }
        let reader = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: end)
    }

    /// Cancels the transfer, since nobody will read on.
    func abandon() {
        let isOver = state.withLock { state in
            defer { state.end = state.end ?? .success(nil) }
            return state.end != nil
        }
        if !isOver { cancel() }
    }

    func next() async -> Result<HTTPStreamEvent?, OutboundFault> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (found, resumes) = state.withLock { state in
                    if let event = state.events.first {
                        // A slice keeps what it no longer contains, until it grows or is empty.
                        state.events[state.events.startIndex] = .bytes([])
                        state.events.removeFirst()
                        state.bytes -= event.count
                        let resumes = state.isPaused && state.bytes <= Self.capacity / 2
                        if resumes { state.isPaused = false }
                        return (Result<HTTPStreamEvent?, OutboundFault>?.some(.success(event)), resumes)
                    }
                    if let end = state.end { return (end, false) }
                    state.reader = continuation
                    return (nil, false)
                }
                if let found { continuation.resume(returning: found) }
                if resumes { resume() }
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
    }
}

extension HTTPStreamEvent {
    fileprivate var count: Int {
        switch self {
        case .head: 0
        case .bytes(let bytes): bytes.count
        }
    }
}
