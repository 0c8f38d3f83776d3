import Bolt11
import LNURL
import LightningCoding
import Platform
package import ResponderModel

/// Issues invoices: the only code that hands out a node's invoice, whatever the protocol.
struct InvoiceIssuer: Sendable {
    let ledger: any InvoiceLedger
    let openInvoices: OpenInvoiceGate
    let clock: WallClock
    let nodeClocks: NodeClocks

    /// Orders an invoice from the payee's node, seals it for the payer, and records both before this returns.
    ///
    /// - Parameters:
    ///   - claim: what the invoice consumes, in the same transaction.
    ///   - seal: turns the node's inspected invoice into what the payer gets, and what the ledger keeps of it.
    /// - Throws: why there is none; the node's invoice is then canceled, if the node supports that.
    func issue<Document>(
        _ order: InvoiceOrder, for payee: Payee, claiming claim: InvoiceClaim?,
        sealing seal: (UnverifiedBolt11Invoice, _ createdAt: UnixTime) throws(Refusal) -> (Document, InvoiceOrigin)
    ) async throws(Refusal) -> Document {
        let place = try await openInvoices.place(
            for: payee.account.id, limit: payee.account.domain.settings.maximumOpenInvoices, in: ledger, at: clock())
        var isWritten = false
        defer { place.leave(isWritten: isWritten) }
        let asked = clock()
        let made = try await awaiting(
            await StepLog.measure("node") { () async throws(BackendFault) in
                try await payee.node.backend.createInvoice(order)
            }
        ) { Refusal.unavailable(.backend(payee.node.name, $0)) }
        let invoice = try await awaiting(
            await inspect(made, against: order, of: payee, askedAt: asked), as: Refusal.unavailable)
        do throws(Refusal) {
            let createdAt = max(clock(), invoice.timestamp)
            let (document, origin) = try seal(invoice, createdAt)
            let record = IssuedInvoice(
                paymentHash: invoice.paymentHash, account: payee.account.id, backend: payee.node.name,
                label: order.label, bolt11: invoice.text, amount: order.amount, createdAt: createdAt,
                expiresAt: invoice.expiresAt, origin: origin)
            try await awaiting(
                await StepLog.measure("ledger") { () async throws(LedgerFault) in
                    try await ledger.record(record, using: claim)
                }
            ) { $0 == .challengeUsed ? .challenge(.used) : Refusal.ledger($0) }
            isWritten = true
            return document
        } catch {
            await cancel(made, at: payee.node)
            throw error
        }
    }

    /// The contents of a node's invoice once it matches the order. One that does not is recorded, to be canceled.
    private func inspect(
        _ answer: BackendInvoice, against order: InvoiceOrder, of payee: Payee, askedAt asked: UnixTime
    ) async throws(Refusal.Cause) -> UnverifiedBolt11Invoice {
        let now = clock()
        func compareClock(_ invoice: UnverifiedBolt11Invoice) {
            nodeClocks.compare(invoice.timestamp, of: payee.node.name, with: asked...max(asked, now))
        }
        do {
            let invoice = try InvoiceInspection(of: payee.node.info, order: order).inspect(answer, at: now)
            compareClock(invoice)
            return invoice
        } catch {
            let invoice = try? UnverifiedBolt11Invoice(answer.bolt11)
            invoice.map(compareClock)
            let mismatch = InvoiceMismatch(
                backend: payee.node.name, paymentHash: answer.hashToPay, cause: error.reason, account: payee.account.id)
            let expiry = invoice?.expiresAt ?? now.adding(seconds: order.expiry)
            let work = OutboxWork(mismatch, at: now, deadline: min(expiry, .lastSecond))
            // Whatever the ledger does, the mismatch is what the operator must learn.
            let isRecorded = try? await ledger.add(work, upTo: InvoiceMismatch.maximumPending)
            if isRecorded != true { ledger.observers.tell(.unrecordedMismatch(mismatch)) }
            throw .inspection(payee.node.name, error)
        }
    }

    /// Cancels an invoice that no payer will see, so that it does not stay payable.
    ///
    /// The hash inside the invoice counts: the one that the node reports with a wrong invoice may belong to another. An
    /// invoice that a payer holds is never canceled.
    private func cancel(_ answer: BackendInvoice, at node: ReceivingNode) async {
        do {
            guard node.capabilities.cancels, try await ledger.invoice(answer.hashToPay) == nil else { return }
            try await node.backend.cancel(answer.hashToPay)
        } catch {
            // It stays until it expires.
        }
    }
}

/// How far the clocks of nodes are from the ledger's, as the invoices tell that they make.
package final class NodeClocks: Sendable {
    package enum Event: Hashable, Sendable {
        /// A node's clock is so far ahead of the ledger's, or behind when negative.
        case deviates(BackendName, by: Duration)
        case agrees(BackendName)
    }

    private struct State {
        var deviating: Set<BackendName> = []
        var report: @Sendable (Event) -> Void = { _ in }
    }

    private let state = Guarded(State())

    /// Receives every event from now on; must not block.
    package func report(_ report: @escaping @Sendable (Event) -> Void) { state.withLock { $0.report = report } }

    /// Compares the time in a new invoice with that of the ledger, before the node was asked and after it has answered.
    func compare(_ time: UnixTime, of name: BackendName, with span: ClosedRange<UnixTime>) {
        let nearest = min(max(time, span.lowerBound), span.upperBound)
        let deviation =
            time >= nearest ? Self.seconds(from: nearest, to: time) : .zero - Self.seconds(from: time, to: nearest)
        let deviates = max(deviation, .zero - deviation) >= LedgerClock.tolerance
        let report = state.withLock { state -> (@Sendable (Event) -> Void)? in
            let changes =
                deviates ? state.deviating.insert(name).inserted : state.deviating.remove(name) != nil
            return changes ? state.report : nil
        }
        report?(deviates ? .deviates(name, by: deviation) : .agrees(name))
    }

    private static func seconds(from earlier: UnixTime, to later: UnixTime) -> Duration {
        .seconds(Int64(clamping: later.seconds(since: earlier)))
    }
}

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
        if let place = try reserve(account, maximum, at: now, isFresh: false) { return place }
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
        guard let place = try reserve(account, maximum, at: now, isFresh: true) else {
            throw .tooMany(retryAfter: 1)
        }
        return place
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

    /// - Returns: nil when the ledger must be queried first.
    private func reserve(
        _ account: AccountID, _ maximum: UInt64, at now: UnixTime, isFresh: Bool
    ) throws(Refusal) -> Place? {
        try counts.withLock { counts throws(Refusal) -> Place? in
            guard var count = counts[account], isFresh || count.countedAt == now else { return nil }
            guard count.written + count.expected < maximum else {
                guard isFresh || count.nextExpiry != nil else { return nil }
                throw .tooMany(retryAfter: max(1, count.nextExpiry?.seconds(since: now) ?? 1))
            }
            count.expected += 1
            counts[account] = count
            return Place(account: account, gate: self)
        }
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
    struct Place {
        fileprivate let account: AccountID
        fileprivate let gate: OpenInvoiceGate?

        func leave(isWritten: Bool) { gate?.leave(account, isWritten: isWritten) }
    }
}
