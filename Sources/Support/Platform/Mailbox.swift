/// Messages from tasks to a thread that blocks elsewhere, as in `poll`: a queue under a lock, and a function that wakes
/// the thread.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State: Sendable {
        var messages: [Message] = []
        var isOpen = true
        /// `nil` after `detach`.
        var wake: (@Sendable () -> Void)?
    }

    private let state: Guarded<State>

    /// Creates a mailbox.
    ///
    /// - Parameter wake: wakes the thread; runs under the lock, and so must not block. Not called after `detach` has
    ///   returned.
    package init(wake: @escaping @Sendable () -> Void) {
        state = Guarded(State(wake: wake))
    }

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Adds a message; false when the mailbox is closed.
    package func post(_ message: Message) -> Bool {
        state.withLock { state in
            guard state.isOpen, let wake = state.wake else { return false }
            state.messages.append(message)
            // The thread takes all messages at once, so only the first needs to wake it.
            if state.messages.count == 1 { wake() }
            return true
        }
    }

    /// Accepts no more messages, and wakes the thread to notice.
    package func close() {
        state.withLock { state in
            state.isOpen = false
            state.wake?()
        }
    }

    /// For the thread: all messages since the last call, and whether more may come.
    package func collect() -> (messages: [Message], isOpen: Bool) {
        state.withLock { state in
            let messages = state.messages
            state.messages.removeAll(keepingCapacity: messages.count <= 1024)
            return (messages, state.isOpen)
        }
    }

    /// For the thread's end: drops the wake function. No more messages are accepted.
    package func detach() {
        state.withLock { state in
            state.isOpen = false
            state.wake = nil
        }
    }
}
