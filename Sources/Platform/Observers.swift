/// Those who are told when something has happened, each in the caller's own thread.
public final class Observers<Fact: Sendable>: Sendable {
    private let observers = Guarded<[@Sendable (Fact) -> Void]>([])

    /// Nobody yet.
    public init() {}

    /// Tells this one too, from now on. It must return at once.
    public func add(_ observer: @escaping @Sendable (Fact) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Tells all of them, in the order in which they were added.
    public func tell(_ fact: Fact) {
        for observer in observers.withLock({ $0 }) { observer(fact) }
    }
}
