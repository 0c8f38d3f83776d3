/// Limits log lines that anyone can trigger at will: the first of a kind is written at once, repetitions are counted,
/// and the count is written at most once a minute.
package final class RepeatedLines<Kind: Hashable & Sendable>: Sendable {
    private let counts: Guarded<RepetitionCount<Kind>>
    private let pause: @Sendable () async -> Void

    /// Creates an empty one.
    ///
    /// - Parameter pause: returns when a minute is over.
    package init(pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(60)) }) {
        // Of more kinds, the rest share one count.
        counts = Guarded(RepetitionCount(capacity: 256))
        self.pause = pause
    }

    /// Writes a line or counts it.
    ///
    /// - Parameters:
    ///   - kind: the kind of line.
    ///   - write: writes the line, given how often it occurred since it was last written.
    package func note(_ kind: Kind, _ write: @escaping @Sendable (_ times: Int) -> Void) {
        guard let begun = counts.withLock({ $0.note(kind) }) else { return }
        write(1)
        Task { [self] in
            repeat { await pause() } while end(begun, write)
        }
    }

    /// Whether another interval follows.
    private func end(_ interval: RepetitionCount<Kind>.Interval, _ write: @Sendable (_ times: Int) -> Void) -> Bool {
        guard let times = counts.withLock({ $0.end(interval) }) else { return false }
        write(times)
        return true
    }
}

extension String {
    /// A kind of line whose text has numbers that strangers choose.
    package var withoutDigits: String { filter { !("0"..."9").contains($0) } }
}
