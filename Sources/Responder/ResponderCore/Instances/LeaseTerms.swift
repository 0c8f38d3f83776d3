/// How long an instance holds what only one may hold, and how often it is heard of.
package struct LeaseTerms: Hashable, Sendable {
    /// How long a lease lasts in the ledger, in seconds.
    package let length: UInt64
    package let renewal: Duration
    /// How long after its last renewal the holder stops: less than `length` and the second that counting whole ones may
    /// take from it, so that it has stopped before others begin.
    package let hold: Duration
    package let heartbeat: Duration
    /// How long an instance is known after its last heartbeat, in seconds.
    package let lifetime: UInt64
    /// Whether no other instance can serve the ledger.
    package let isAlone: Bool

    /// How long the ledger may not have heard an instance before the others may not have been heard either. A call takes
    /// as long again: both together are less than the lifetime, less a heartbeat.
    var longestGap: Duration { .seconds(Int64(clamping: lifetime)) / 3 }

    /// How soon a renewal or a heartbeat that failed is tried again.
    static let retry = Duration.seconds(1)

    package static let shared = LeaseTerms(
        length: 10, renewal: .seconds(3), hold: .seconds(8), heartbeat: .seconds(3), lifetime: 15, isAlone: false)

    /// The terms of an instance that a lock keeps alone on its ledger: nobody waits for it, so it writes rarely.
    package static let alone = LeaseTerms(
        length: 3_600, renewal: .seconds(1_200), hold: .seconds(3_000), heartbeat: .seconds(60), lifetime: 300,
        isAlone: true)
}
