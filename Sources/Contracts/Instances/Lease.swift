/// Work that one instance at a time does.
public enum LeaseName: Hashable, Sendable, CustomStringConvertible {
    /// Following the settlements of a backend.
    case following(BackendName)
    /// Being our own Lightning peer.
    case onion
    /// Deleting what is no longer needed.
    case upkeep
    /// Carrying out the outbox.
    case outbox

    private static let followingPrefix = "backend:"

    /// Reads a name as it is written; nil when it is none.
    public init?(_ text: String) {
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
    public var text: String {
        switch self {
        case .following(let backend): Self.followingPrefix + backend.description
        case .onion: "onion"
        case .upkeep: "upkeep"
        case .outbox: "outbox"
        }
    }

    /// As it is written.
    public var description: String { text }
}

/// The right to do what others must not do meanwhile. What is written under a lease that was lost changes nothing.
public struct Lease: Hashable, Sendable {
    /// What it is for.
    public let name: LeaseName
    /// Increases whenever it is taken over, and whenever it had run out before it was renewed.
    public let epoch: UInt64

    /// Creates a lease, as the ledger has it.
    public init(name: LeaseName, epoch: UInt64) {
        self.name = name
        self.epoch = epoch
    }
}
