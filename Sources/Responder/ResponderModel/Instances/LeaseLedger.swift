package import LightningCoding

/// The instances of the service on one ledger, and which of them does what only one may do.
///
/// Times are those of the ledger, so that the clocks of the instances need not agree.
package protocol LeaseLedger: Sendable {
    /// The time since 1970 by the clock of the ledger's server; nil where that is this machine.
    func time() async throws(LedgerFault) -> Duration?

    /// Enters an instance at its start.
    ///
    /// - Parameter isAlone: whether the caller knows, as by a lock, that no other instance serves this ledger. Then all
    ///   others are forgotten, and the keys may differ from those of earlier ones.
    /// - Throws: `otherKeys` when instances with other keys have served this ledger, `unfinishedCopy` when another ledger
    ///   was being copied into this one; then nothing is written.
    func register(_ instance: InstanceRecord, isAlone: Bool) async throws(LedgerFault)

    /// Notes that an instance is alive, and what it tells now; it is entered again when it was forgotten. Others that
    /// were not heard of for `lifetime` seconds are forgotten.
    ///
    /// - Parameter lifetime: nil forgets nobody.
    /// - Returns: how many are left, this one included.
    func heartbeat(of instance: InstanceRecord, forgettingAfter lifetime: UInt64?) async throws(LedgerFault) -> Int

    /// Forgets an instance that ends: its leases are free, and the work of the outbox that it had claimed is due at once,
    /// without counting the attempt.
    func unregister(_ instance: InstanceID) async throws(LedgerFault)

    /// The instances that are not forgotten, by their ids.
    func instances() async throws(LedgerFault) -> [InstanceStatus]

    /// Takes a lease that is free or has run out, or renews it.
    ///
    /// - Parameter seconds: how long it lasts from now.
    /// - Returns: nil while another instance holds it.
    func lease(
        _ name: LeaseName, for instance: InstanceID, lasting seconds: UInt64
    ) async throws(LedgerFault) -> Lease?

    /// Gives a lease back; does nothing when it is lost.
    func release(_ lease: Lease) async throws(LedgerFault)

    /// Forgets which keys were used, after they were replaced on purpose: the next instance to start decides.
    func forgetKeys() async throws(LedgerFault)
}

extension LeaseLedger {
    /// The ledger's time, which decides what has expired and what is due.
    package func now() async throws(LedgerFault) -> UnixTime {
        let time = try await time() ?? UnixTime.sinceEpoch()
        return UnixTime(UInt64(clamping: time.components.seconds))
    }
}

package enum LeaseName: Hashable, Sendable, CustomStringConvertible {
    case following(BackendName)
    case onion
    case upkeep
    case outbox

    private static let followingPrefix = "backend:"

    package init?(_ text: String) {
        switch text {
        case "onion": self = .onion
        case "upkeep": self = .upkeep
        case "outbox": self = .outbox
        default:
            guard text.utf8.starts(with: Self.followingPrefix.utf8),
                let name = BackendName(String(text.dropFirst(Self.followingPrefix.count)))
            else { return nil }
            self = .following(name)
        }
    }

    /// As it is written: `backend:NAME`, `onion`, `upkeep`, `outbox`.
    package var text: String {
        switch self {
        case .following(let backend): Self.followingPrefix + backend.description
        case .onion: "onion"
        case .upkeep: "upkeep"
        case .outbox: "outbox"
        }
    }

    package var description: String { text }
}

/// The right to do what others must not do meanwhile. What is written under a lease that was lost changes nothing.
package struct Lease: Hashable, Sendable {
    package let name: LeaseName
    /// Increases whenever it is taken over, and whenever it had run out before it was renewed.
    package let epoch: UInt64

    package init(name: LeaseName, epoch: UInt64) {
        self.name = name
        self.epoch = epoch
    }
}
