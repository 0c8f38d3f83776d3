import Platform

/// The connection over which a payer has asked: once it is closed, nobody waits for the answer. Found through a task-local
/// value, so that it need not be passed along.
public final class PayerConnection: Sendable {
    /// The connection that this task answers; nil when it is not known.
    @TaskLocal public static var current: PayerConnection?

    private enum State {
        case open(onClose: (@Sendable () -> Void)?)
        case closed
    }

    private let state = Guarded(State.open(onClose: nil))

    /// Creates an open connection.
    public init() {}

    /// Notes that the payer has closed it, in one direction or in both.
    public func close() {
        let onClose: (@Sendable () -> Void)? = state.withLock { state in
            guard case .open(let onClose) = state else { return nil }
            state = .closed
            return onClose
        }
        onClose?()
    }

    /// Whether nobody waits at its other end.
    var isClosed: Bool {
        state.withLock { state in if case .closed = state { true } else { false } }
    }

    /// Waits for an answer, one at a time, and calls back if the payer closes the connection meanwhile or has closed it.
    func waiting<Answer: Sendable>(
        for answer: () async -> Answer, onClose: @escaping @Sendable () -> Void
    ) async -> Answer {
        let isOpen = state.withLock { state in
            guard case .open = state else { return false }
            state = .open(onClose: onClose)
            return true
        }
        if !isOpen { onClose() }
        defer {
            state.withLock { state in if case .open = state { state = .open(onClose: nil) } }
        }
        return await answer()
    }
}
