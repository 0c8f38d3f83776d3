/// Observers that are notified of facts, on the caller's thread.
public final class Observers<Fact: Sendable>: Sendable {
    private let observers = Guarded<[@Sendable (Fact) -> Void]>([])

    /// Creates an empty list.
    public init() {}

    /// Adds an observer. It must return at once.
    public func add(_ observer: @escaping @Sendable (Fact) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Notifies all observers, in the order in which they were added.
    public func tell(_ fact: Fact) {
        for observer in observers.withLock({ $0 }) { observer(fact) }
    }
}
