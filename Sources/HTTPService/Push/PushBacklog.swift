import Contracts
import Platform

/// Limits how many events of each kind of recipient are kept: anybody can post them.
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
    /// - Parameter kind: the prefix of its events' ids, one of three.
    func isBelowLimit(_ kind: String, in ledger: any Ledger, at now: MonotonicTime) async throws(LedgerFault) -> Bool {
        if let count = counted(kind, at: now) { return count < maximum }
        let count = try await ledger.count(idsFrom: kind, upTo: maximum)
        known.withLock { $0[kind] = (count + 1, now + Self.age) }
        return count < maximum
    }

    private func counted(_ kind: String, at now: MonotonicTime) -> Int? {
        known.withLock { known in
            guard let last = known[kind], now < last.until else { return nil }
            known[kind] = (last.count + 1, last.until)
            return last.count
        }
    }
}
