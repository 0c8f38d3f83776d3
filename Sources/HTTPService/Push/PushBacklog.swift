import Contracts
import Platform

/// How many push messages of one sort are kept in all: whoever has a URL of this service can add one.
struct PushBacklog: Sendable {
    private let maximum: Int
    private let known = Guarded<[String: (count: Int, until: MonotonicTime)]>([:])

    /// For how long a count of the ledger is used.
    private static let age = Duration.seconds(5)

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Whether one more may be kept.
    ///
    /// - Parameter sort: with what the ids of its messages begin.
    func hasPlace(for sort: String, in ledger: any Ledger, at now: MonotonicTime) async throws(LedgerFault) -> Bool {
        if let count = counted(sort, at: now) { return count < maximum }
        let count = try await ledger.count(idsFrom: sort, upTo: maximum)
        known.withLock { $0[sort] = (count + 1, now + Self.age) }
        return count < maximum
    }

    private func counted(_ sort: String, at now: MonotonicTime) -> Int? {
        known.withLock { known in
            guard let last = known[sort], now < last.until else { return nil }
            known[sort] = (last.count + 1, last.until)
            return last.count
        }
    }
}
