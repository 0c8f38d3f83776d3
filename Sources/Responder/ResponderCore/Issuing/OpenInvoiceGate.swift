import LNURL
import LightningCoding
import Platform
import ResponderModel

/// Keeps the open invoices of each account below a maximum, over all protocols.
///
/// They are counted in the ledger at most once a second, and tracked here in between. Invoices that other processes
/// issue within that second are not seen, so several processes may exceed the maximum by that much; a single one never
/// does.
final class OpenInvoiceGate: Sendable {
    private let maximum: UInt64?
    private let capacity: Int
    private let counts = Guarded<[AccountID: Count]>([:])

    struct Count {
        /// The ledger's count, and how many have been written since.
        var written: UInt64 = 0
        /// How many are about to be written.
        var expected: UInt64 = 0
        /// How many are querying the ledger.
        var asking: UInt64 = 0
        /// All that were ever written by this process.
        var everWritten: UInt64 = 0
        var countedAt: UnixTime?
        var nextExpiry: UnixTime?
    }

    init(maximum: UInt64?, capacity: Int = 50_000) {
        self.maximum = maximum
        self.capacity = capacity
    }

    /// Reserves a slot for one more invoice.
    ///
    /// - Parameter own: the maximum of the account's domain, instead of the standard one.
    func place(
        for account: AccountID, limit own: UInt64? = nil, in ledger: any InvoiceLedger, at now: UnixTime
    ) async throws(Refusal) -> Place {
        guard let maximum = own ?? maximum else { return Place(account: account, gate: nil) }
        if let place = reserve(account, maximum, at: now, isFresh: false) { return place }
        let before = beginCounting(account)
        let open: OpenInvoices
        do {
            open = try await Refusal.asking(
                await ledger.openInvoices(of: account, at: now, countingTo: maximum))
        } catch {
            endCounting(account)
            throw error
        }
        endCounting(account) { count in
            // What was written meanwhile may be counted twice but is never missed.
            count.written = open.count + (count.everWritten - before)
            count.countedAt = now
            count.nextExpiry = open.nextExpiry
        }
        if let place = reserve(account, maximum, at: now, isFresh: true) { return place }
        throw .tooMany(retryAfter: max(1, open.nextExpiry?.seconds(since: now) ?? 1))
    }

    /// Keeps the account in memory until `endCounting`, which needs to know what was written meanwhile.
    func beginCounting(_ account: AccountID) -> UInt64 {
        counts.withLock { counts in
            if counts.count >= capacity, counts[account] == nil {
                counts = counts.filter { $0.value.expected > 0 || $0.value.asking > 0 }
            }
            counts[account, default: Count()].asking += 1
            return counts[account]?.everWritten ?? 0
        }
    }

    func endCounting(_ account: AccountID, _ change: (inout Count) -> Void = { _ in }) {
        counts.withLock { counts in
            guard var count = counts[account], count.asking > 0 else { return }
            count.asking -= 1
            change(&count)
            counts[account] = count
        }
    }

    private func reserve(_ account: AccountID, _ maximum: UInt64, at now: UnixTime, isFresh: Bool) -> Place? {
        counts.withLock { counts -> Bool in
            guard var count = counts[account], isFresh || count.countedAt == now else { return false }
            guard count.written + count.expected < maximum else { return false }
            count.expected += 1
            counts[account] = count
            return true
        } ? Place(account: account, gate: self) : nil
    }

    private func leave(_ account: AccountID, isWritten: Bool) {
        counts.withLock { counts in
            guard var count = counts[account], count.expected > 0 else { return }
            count.expected -= 1
            if isWritten {
                count.written += 1
                count.everWritten += 1
            }
            counts[account] = count
        }
    }

    /// A slot among the open invoices of an account, held until `leave`.
    final class Place: Sendable {
        private let account: AccountID
        private let gate: OpenInvoiceGate?
        private let isTaken = Guarded(false)

        fileprivate init(account: AccountID, gate: OpenInvoiceGate?) {
            self.account = account
            self.gate = gate
        }

        func take() { isTaken.withLock { $0 = true } }

        func leave() { gate?.leave(account, isWritten: isTaken.withLock { $0 }) }
    }
}
