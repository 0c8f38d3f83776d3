/// How tasks speak to a thread that waits elsewhere, as in `poll`: letters under a lock, and something that wakes the thread up.
public final class Mailbox<Letter: Sendable>: Sendable {
    private struct State: Sendable {
        var letters: [Letter] = []
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

    /// Whether letters are still taken.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Posts a letter; false when none are taken any more.
    public func post(_ letter: Letter) -> Bool {
        state.withLock { state in
            guard state.isOpen, let wake = state.wake else { return false }
            state.letters.append(letter)
            // The thread takes all letters at a time: only the first has to wake it.
            if state.letters.count == 1 { wake() }
            return true
        }
    }

    /// Takes no more letters, and wakes the thread up to see that.
    public func close() {
        state.withLock { state in
            state.isOpen = false
            state.wake?()
        }
    }

    /// All letters since the last call, for the thread, and whether more may come.
    public func collect() -> (letters: [Letter], isOpen: Bool) {
        state.withLock { state in
            let letters = state.letters
            state.letters.removeAll(keepingCapacity: letters.count <= 1024)
            return (letters, state.isOpen)
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
