import LightningCoding
import LightningCrypto
import Platform

/// Limits the messages of one kind of work that are on their way to push services that apps and senders have named: those
/// that hang must not hold up all others.
struct WebPushSlots: Sendable {
    private struct Taken: Sendable {
        var all = 0
        var hosts: [ExactText: Int] = [:]
        var owners: [PublicKey: Int] = [:]
    }

    private let taken = Guarded(Taken())

    /// How many are on their way to one host.
    static let ofHost = 16
    /// How many for the devices of one owner.
    static let ofOwner = 8
    /// How many are on their way to all, of the 64 of a kind that are sent at once.
    static let ofAll = 48
    /// Seconds until an event or message that finds no slot is tried again: a quarter of its age in seconds, so that many for
    /// hosts that hang do not keep the outbox busy.
    static func pause(after age: UInt64) -> UInt64 { max(15, age / 4) }

    /// Does something in a slot; nil when there is none.
    ///
    /// - Parameter owner: of a registered device.
    func with<Result: Sendable>(
        _ host: String, of owner: PublicKey? = nil, _ work: () async -> Result
    ) async -> Result? {
        guard take(host, of: owner) else { return nil }
        defer { release(host, of: owner) }
        return await work()
    }

    /// Takes a slot; false when there is none.
    func take(_ host: String, of owner: PublicKey? = nil) -> Bool {
        let host = ExactText(host)
        return taken.withLock { taken in
            guard taken.all < Self.ofAll, taken.hosts[host, default: 0] < Self.ofHost,
                owner.map({ taken.owners[$0, default: 0] < Self.ofOwner }) ?? true
            else { return false }
            taken.all += 1
            taken.hosts[host, default: 0] += 1
            if let owner { taken.owners[owner, default: 0] += 1 }
            return true
        }
    }

    /// Releases a slot.
    func release(_ host: String, of owner: PublicKey? = nil) {
        let host = ExactText(host)
        taken.withLock { taken in
            taken.all -= 1
            taken.hosts[host] = taken.hosts[host].flatMap { $0 > 1 ? $0 - 1 : nil }
            if let owner { taken.owners[owner] = taken.owners[owner].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
    }
}
