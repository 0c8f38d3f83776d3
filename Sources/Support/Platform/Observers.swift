/// Observers that are notified of facts, on the caller's thread.
package final class Observers<Fact: Sendable>: Sendable {
    private let observers = Guarded<[@Sendable (Fact) -> Void]>([])

    package init() {}

    /// Adds an observer. It must return at once.
    package func add(_ observer: @escaping @Sendable (Fact) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Notifies all observers, in the order in which they were added.
    package func tell(_ fact: Fact) {
        for observer in observers.withLock({ $0 }) { observer(fact) }
    }
}
