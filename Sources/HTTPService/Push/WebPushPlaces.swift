import Platform

/// Events on their way to push services that their senders have named. Some may hang: they must not hold up all others.
struct WebPushPlaces: Sendable {
    private let taken = Guarded<[String: Int]>([:])

    /// How many are on their way to one host.
    static let ofHost = 16
    /// How many are on their way, of the 64 events that are sent at once.
    static let ofAll = 48
    /// When one that finds no place is due again, in seconds: the later the longer it has waited, so that many for hosts that
    /// hang do not keep the outbox busy.
    static func pause(after age: UInt64) -> UInt64 { max(15, age / 4) }

    /// Takes a place; false when there is none.
    func take(for host: String) -> Bool {
        taken.withLock { taken in
            guard taken[host, default: 0] < Self.ofHost, taken.values.reduce(0, +) < Self.ofAll else { return false }
            taken[host, default: 0] += 1
            return true
        }
    }

    /// Gives a place back.
    func giveBack(_ host: String) {
        taken.withLock { taken in
            guard let count = taken[host] else { return }
            taken[host] = count > 1 ? count - 1 : nil
        }
    }
}
