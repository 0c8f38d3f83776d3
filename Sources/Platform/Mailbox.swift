/// How tasks speak to a thread that waits elsewhere, as in `poll`: messages under a lock, and something that wakes the thread up.
public final class Mailbox<Message: Sendable>: Sendable {
    private struct State: Sendable {
        var messages: [Message] = []
        var isOpen = true
        /// `nil` once the thread has let go of what wakes it up.
        var wake: (@Sendable () -> Void)?
    }

    private let state: Guarded<State>

    /// Opens a mailbox.
    ///
    /// - Parameter wake: wakes the thread up; runs under the lock, and so must not block. Not run any more once `detach` has
    ///   returned.
    public init(wake: @escaping @Sendable () -> Void) {
        state = Guarded(State(wake: wake))
    }

    /// Whether messages are still taken.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Posts a message; false when none are taken any more.
    public func post(_ message: Message) -> Bool {
        state.withLock { state in
            guard state.isOpen, let wake = state.wake else { return false }
            state.messages.append(message)
            // The thread takes all messages at a time: only the first has to wake it.
            if state.messages.count == 1 { wake() }
            return true
        }
    }

    /// Takes no more messages, and wakes the thread up to see that.
    public func close() {
        state.withLock { state in
            state.isOpen = false
            state.wake?()
        }
    }

    /// All messages since the last call, for the thread, and whether more may come.
    public func collect() -> (messages: [Message], isOpen: Bool) {
        state.withLock { state in
            let messages = state.messages
            state.messages.removeAll(keepingCapacity: messages.count <= 1024)
            return (messages, state.isOpen)
        }
    }

    /// Lets go of what wakes the thread up, for the thread's end. Letters are not taken any more.
    public func detach() {
        state.withLock { state in
            state.isOpen = false
            state.wake = nil
        }
    }
}
