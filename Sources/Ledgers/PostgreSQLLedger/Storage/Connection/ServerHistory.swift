import ResponderModel
import Platform

/// The latest timeline of a cluster that was seen. Every failover begins a new one: a server on an older one was left behind,
/// and what is written there is lost when it is repaired.
final class ServerHistory: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        /// The cluster's number, which its standbys share.
        let cluster: String
        let timeline: UInt32
    }

    private let file: String?
    private let latest: Guarded<Place?>

    /// - Parameter file: keeps it across runs.
    init(file: String?) {
        self.file = file
        let words = file.flatMap { try? PrivateFile(path: $0).contents(limit: 100) }.map {
            String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        }
        let known = words.flatMap { words -> Place? in
            guard words.count == 2, let timeline = UInt32(words[1]) else { return nil }
            return Place(cluster: String(words[0]), timeline: timeline)
        }
        latest = Guarded(known)
    }

    /// Notes where a server is.
    ///
    /// - Throws: when the same cluster was seen on a later timeline.
    func require(_ place: Place?) throws(LedgerFault) {
        guard let place else { return }
        try latest.withLock { latest throws(LedgerFault) in
            guard latest != place else { return }
            if let latest, latest.cluster == place.cluster, latest.timeline > place.timeline {
                throw .unreachable(
                    "the PostgreSQL server is on timeline \(place.timeline), and timeline \(latest.timeline) was seen: a failover has left it behind; stop it, or make it a standby"
                        + (file.map { " (if it is meant to be used, remove \($0))" } ?? ""))
            }
            latest = place
            guard let file else { return }
            // Without it the next run takes what it finds.
            PrivateFile(path: file).remove()
            try? PrivateFile(path: file).create(Array("\(place.cluster) \(place.timeline)\n".utf8))
        }
    }

    static func == (one: ServerHistory, other: ServerHistory) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
