import Hummingbird
import HummingbirdCore
import LightningCoding
import Platform

/// Answers to the info step, kept for a second, since most payers ask the same.
///
/// An answer says the same as a new one would: it goes with the accounts and domains that it was made from, and what a node says
/// is cached for longer.
final class KeptInfos: Sendable {
    /// All that such an answer depends on.
    struct Key: Hashable, Sendable {
        let host: ExactText
        let path: ExactText
    }

    private struct Kept {
        let response: Response
        let revision: UInt64
        let end: MonotonicTime
    }

    private let kept = Guarded<[Key: Kept]>([:])
    private let clock: MonotonicClock

    private static let lifetime = Duration.seconds(1)
    /// At most 4 MiB in all: a tag makes a path of its own, and strangers choose it.
    private static let (capacity, longestBody) = (1_024, 4_096)

    init(clock: MonotonicClock) {
        self.clock = clock
    }

    /// - Parameter revision: of the accounts and domains.
    subscript(key: Key, revision: UInt64) -> Response? {
        guard let kept = kept.withLock({ $0[key] }), kept.revision == revision, clock.now() < kept.end else {
            return nil
        }
        return kept.response
    }

    /// - Parameter revision: read before the response was made.
    func keep(_ response: Response, for key: Key, at revision: UInt64) {
        guard let length = response.body.contentLength, length <= Self.longestBody else { return }
        let new = Kept(response: response, revision: revision, end: clock.now() + Self.lifetime)
        kept.withLock { kept in
            if kept.count == Self.capacity, kept[key] == nil { kept.removeAll() }
            kept[key] = new
        }
    }
}
