import Locking

/// Wakes those who wait for payments.
final class PaymentBell: Sendable {
    private let listeners = Guarded<[ObjectIdentifier: AsyncStream<Void>.Continuation]>([:])

    func add(_ listener: AsyncStream<Void>.Continuation, for owner: ObjectIdentifier) {
        listeners.withLock { $0[owner] = listener }
    }

    func remove(_ owner: ObjectIdentifier) {
        listeners.withLock { _ = $0.removeValue(forKey: owner) }
    }

    func ring() {
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield() }
    }
}
