import LightningCoding
import Platform

/// Limits the events on their way to push services that senders have named: those that hang must not hold up all others.
struct WebPushSlots: Sendable {
    private let taken = Guarded<[ExactText: Int]>([:])

    /// How many events are on their way to one host.
    static let ofHost = 16
    /// How many are on their way to all, of the 64 events that are sent at once.
    static let ofAll = 48
    /// Seconds until an event that finds no slot is tried again: a quarter of its age in seconds, so that many for hosts that
    /// hang do not keep the outbox busy.
    static func pause(after age: UInt64) -> UInt64 { max(15, age / 4) }

    /// Takes a slot; false when there is none.
    func take(_ host: String) -> Bool {
        let host = ExactText(host)
        return taken.withLock { taken in
            guard taken[host, default: 0] < Self.ofHost, taken.values.reduce(0, +) < Self.ofAll else { return false }
            taken[host, default: 0] += 1
            return true
        }
    }

    /// Releases a slot.
    func release(_ host: String) {
        let host = ExactText(host)
        taken.withLock { taken in
            guard let count = taken[host] else { return }
            taken[host] = count > 1 ? count - 1 : nil
        }
    }
}
