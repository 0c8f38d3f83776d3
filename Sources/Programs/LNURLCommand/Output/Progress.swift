import Platform

/// A progress line on standard error: rewritten on a terminal, written once elsewhere.
final class Progress: Sendable {
    private let isTerminal = Streams.isTerminal(Streams.errors)
    private let isShown = Guarded(false)

    /// - Parameter once: what is written in its place where it cannot be rewritten.
    func show(_ line: String, once: String) {
        let isFirst = isShown.withLock { isShown in
            defer { isShown = true }
            return !isShown
        }
        if isTerminal {
            Streams.write("\r\u{1B}[K… \(line)", to: Streams.errors)
        } else if isFirst {
            Streams.write("… \(once)\n", to: Streams.errors)
        }
    }

    func end() {
        if isTerminal, isShown.withLock({ $0 }) { Streams.write("\r\u{1B}[K", to: Streams.errors) }
    }
}
