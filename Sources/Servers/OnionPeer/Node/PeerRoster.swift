import LightningCoding
package import LightningCrypto
package import OnionMessages
import Platform

/// The open and wanted connections of a node. A value; time is passed in, as the time since a fixed instant.
struct PeerRoster: Sendable {
    struct Target: Hashable, Sendable {
        let address: PeerAddress
        let own: PublicKey
    }

    /// The state of such a connection while it is not open.
    enum Waiting: Hashable, Sendable {
        case connecting
        case until(MonotonicTime)
    }

    private struct Entry: Sendable {
        let link: PeerLink
        let openedAt: MonotonicTime
    }

    static let banTime = Duration.seconds(600)
    static let mostBans = 1_000

    private let targets: [Target]
    private var waiting: [Target: Waiting] = [:]
    private var ends: [Target: ConnectionEnd] = [:]
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var byNode: [PublicKey: [PeerLink]] = [:]
    private var bans: [PublicKey: MonotonicTime] = [:]

    init(_ targets: [Target]) {
        self.targets = targets
    }

    var allLinks: [PeerLink] { entries.values.map(\.link) }

    var count: Int { entries.count }

    /// The connections with a node, shortest queue first.
    func links(with node: PublicKey) -> [PeerLink] {
        (byNode[node] ?? []).sorted { $0.waiting < $1.waiting }
    }

    var nodes: [PublicKey] {
        byNode.filter { $0.value.contains { $0.features.has(.onionMessages) } }.map(\.key)
    }

    /// Adds a connection; returns those it replaces: a node that connects again has lost its previous connection.
    mutating func add(_ link: PeerLink, at now: MonotonicTime) -> [PeerLink] {
        let replaced = (byNode[link.remote] ?? []).filter { $0.isIncoming && link.isIncoming && $0.own == link.own }
        entries[ObjectIdentifier(link)] = Entry(link: link, openedAt: now)
        byNode[link.remote, default: []].append(link)
        return replaced
    }

    mutating func remove(_ link: PeerLink) {
        entries[ObjectIdentifier(link)] = nil
        byNode[link.remote]?.removeAll { $0 === link }
        if byNode[link.remote]?.isEmpty ?? false { byNode[link.remote] = nil }
    }

    /// Records the state of a wanted connection, and why it is not open.
    mutating func note(_ target: Target, _ state: Waiting, end: ConnectionEnd? = nil) {
        waiting[target] = state
        if let end { ends[target] = end }
    }

    /// Bans a misbehaving node; when there are too many bans, the one that would expire first is dropped.
    mutating func ban(_ node: PublicKey, at now: MonotonicTime) {
        bans[node] = now + Self.banTime
        guard bans.count > Self.mostBans else { return }
        bans = bans.filter { $0.value > now }
        if bans.count > Self.mostBans, let first = bans.min(by: { $0.value < $1.value }) { bans[first.key] = nil }
    }

    /// Whether a node is not banned.
    func isWelcome(_ node: PublicKey, at now: MonotonicTime) -> Bool {
        bans[node].map { $0 <= now } ?? true
    }

    /// The status of each peer: first the wanted ones, in order, then incoming ones.
    func statuses(at now: MonotonicTime) -> [PeerStatus] {
        var open = entries
        var statuses: [PeerStatus] = []
        for target in targets {
            let entry = open.first { _, entry in
                !entry.link.isIncoming && entry.link.remote == target.address.nodeID
                    && entry.link.own.publicKey == target.own
            }
            if let entry {
                open[entry.key] = nil
                statuses.append(Self.status(entry.value, ends[target], at: now))
            } else {
                statuses.append(status(target, at: now))
            }
        }
        let others = open.values.sorted { $0.openedAt < $1.openedAt }
        return statuses + others.map { Self.status($0, nil, at: now) }
    }

    private static func status(_ entry: Entry, _ end: ConnectionEnd?, at now: MonotonicTime) -> PeerStatus {
        let link = entry.link
        return PeerStatus(
            nodeID: link.remote, own: link.own.publicKey, host: link.host, isIncoming: link.isIncoming,
            state: .open(now - entry.openedAt), features: link.features, traffic: link.traffic, waiting: link.waiting,
            lastEnd: end)
    }

    private func status(_ target: Target, at now: MonotonicTime) -> PeerStatus {
        let state: PeerStatus.State =
            switch waiting[target] {
            case .until(let moment): .waiting(max(.zero, moment - now))
            case .connecting, nil: .connecting
            }
        return PeerStatus(
            nodeID: target.address.nodeID, own: target.own, host: target.address.host.description, isIncoming: false,
            state: state, features: nil, traffic: PeerTraffic(), waiting: 0, lastEnd: ends[target])
    }
}

package struct PeerStatus: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case connecting
        /// Open, for this long.
        case open(Duration)
        /// Ended or never opened; the time until the next attempt.
        case waiting(Duration)
    }

    package var nodeID: PublicKey
    package var own: PublicKey
    package var host: String
    package var isIncoming: Bool
    package var state: State
    /// The features of the peer; nil before its `init`.
    package var features: PeerFeatures?
    /// The traffic since the connection opened.
    package var traffic: PeerTraffic
    package var waiting: Int
    /// Why the last connection ended or could not be opened; nil when nothing went wrong.
    package var lastEnd: ConnectionEnd?

    /// Whether requests can reach us through it now.
    package var isIntroduction: Bool {
        guard case .open = state, !isIncoming else { return false }
        return features?.has(.onionMessages) ?? false
    }
}
