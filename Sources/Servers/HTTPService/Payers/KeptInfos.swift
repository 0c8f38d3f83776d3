import Hummingbird
import HummingbirdCore
import LightningCoding
import Platform

/// Answers to the info step, kept for a second, since most payers ask the same.
///
/// An answer goes with the accounts and domains that it was made from. What it says of the node may be a second older than what is
/// cached of that.
final class KeptInfos: Sendable {
    /// What the request contributes to such an answer.
    struct Key: Hashable, Sendable {
        private let host: ExactText
        private let path: ExactText

        /// Nil for a path or host that is longer than those of any account.
        init?(host: String, path: String) {
            guard host.utf8.count <= 256, path.utf8.count <= 256 else { return nil }
            (self.host, self.path) = (ExactText(host), ExactText(path))
        }
    }

    private struct Kept {
        let response: Response
        let generation: UInt64
        let end: MonotonicTime
    }

    private let kept = Guarded<[Key: Kept]>([:])
    private let clock: MonotonicClock

    private static let lifetime = Duration.seconds(1)
    /// At most 5 MiB in all: a tag makes a path of its own, and strangers choose it.
    private static let (capacity, longestBody) = (1_024, 4_096)

    init(clock: MonotonicClock) {
        self.clock = clock
    }

    /// - Parameter generation: of the accounts and domains.
    subscript(key: Key, generation: UInt64) -> Response? {
        guard let kept = kept.withLock({ $0[key] }), kept.generation == generation, clock.now() < kept.end else {
            return nil
        }
        return kept.response
    }

    /// - Parameter generation: read before the response was made.
    func keep(_ response: Response, for key: Key, at generation: UInt64) {
        guard let length = response.body.contentLength, length <= Self.longestBody else { return }
        let new = Kept(response: response, generation: generation, end: clock.now() + Self.lifetime)
        kept.withLock { kept in
            if kept.count == Self.capacity, kept[key] == nil { kept.removeAll() }
            kept[key] = new
        }
    }
}
