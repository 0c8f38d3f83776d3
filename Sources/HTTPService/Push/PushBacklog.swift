import Contracts
import Platform

/// How many push messages are kept in all: whoever has a URL of this service can add one.
struct PushBacklog: Sendable {
    private let maximum: UInt64
    private let known = Guarded<(count: UInt64, until: MonotonicTime)?>(nil)

    /// For how long a count of the ledger is used.
    private static let age = Duration.seconds(5)

    init(maximum: UInt64) {
        self.maximum = maximum
    }

    /// Whether one more may be kept.
    func hasPlace(in ledger: any Ledger, at now: MonotonicTime) async throws(LedgerFault) -> Bool {
        if let count = counted(at: now) { return count < maximum }
        let totals = try await ledger.totals()
        let count = (totals.pending[.push] ?? 0) + (totals.parked[.push] ?? 0)
        known.withLock { $0 = (count + 1, now + Self.age) }
        return count < maximum
    }

    private func counted(at now: MonotonicTime) -> UInt64? {
        known.withLock { known in
            guard let last = known, now < last.until else { return nil }
            known = (last.count + 1, last.until)
            return last.count
        }
    }
}
