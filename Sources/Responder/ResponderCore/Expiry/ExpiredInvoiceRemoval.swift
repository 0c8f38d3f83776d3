package import LightningCoding
import LightningCrypto
import Platform
package import ResponderModel

/// Deletes invoices that expired unpaid long ago; otherwise the ledger would grow without limit, since anyone may
/// request invoices.
///
/// Invoices that may still turn out to be paid stay. A node may report a payment late, when it or we were offline, so
/// the node is queried about each invoice first, and its answer counts, not our clock:
/// - expired or canceled: deleted;
/// - settled, with the preimage: recorded as paid and kept for good;
/// - open: kept;
/// - unknown: deleted only if the node's settlements were followed all the time it could be paid
///   (`FollowedSpan.covers(_:)`), since nodes may delete paid invoices too;
/// - no answer, because the node is down, is a different one or is no longer configured: kept;
/// - reported as paid by a report that could not be read: kept, whatever the node says later.
///
/// The node is asked again about those that stay after an hour, then two, and so on up to a day.
package struct ExpiredInvoiceRemoval: Sendable {
    private let ledger: any InvoiceLedger & SettlementLedger
    private let backends: [BackendName: any ReceiveBackend]
    private let grace: UInt64
    private let mostBatches: Int
    private let report: @Sendable (SettlementFollower.Event) -> Void
    private let passes = Guarded<[BackendName: Pass]>([:])

    /// Invoices deleted per transaction; other writes go in between.
    static let batch = 100
    /// Seconds from the end of a pass that kept some invoices until the next one: an hour.
    static let rest: UInt64 = 3_600

    /// The longest time, in seconds, until the node is asked again about an invoice that stays.
    static let longestRest: UInt64 = 86_400

    /// Progress through a backend's expired invoices, which may take several rounds.
    private struct Pass {
        var mark: ExpiredInvoice.Mark?
        var hasKept = false
        /// When it began, less the grace, and when the one before it did.
        var moment = UnixTime(0)
        var last = UnixTime(0)
        /// It asks only about those that expired since: what earlier passes kept is asked about less often.
        var asksFrom = UnixTime(0)
        var restsUntil = UnixTime(0)
        var asksAllAt = UnixTime(0)
        /// How long after the next pass that asks about all another one does.
        var rest = ExpiredInvoiceRemoval.rest

        mutating func begin(at now: UnixTime, before moment: UnixTime) {
            asksFrom = now >= asksAllAt ? UnixTime(0) : last
            self.moment = moment
            hasKept = false
        }

        mutating func end(at now: UnixTime) {
            mark = nil
            if asksFrom == UnixTime(0) {
                asksAllAt = hasKept ? now.adding(seconds: rest) : UnixTime(0)
                rest = hasKept ? min(rest * 2, ExpiredInvoiceRemoval.longestRest) : ExpiredInvoiceRemoval.rest
            }
            last = moment
            restsUntil = asksAllAt > now ? now.adding(seconds: ExpiredInvoiceRemoval.rest) : UnixTime(0)
        }
    }

    /// - Parameters:
    ///   - grace: seconds after its expiry before an invoice is deleted.
    package init(
        ledger: any InvoiceLedger & SettlementLedger, backends: [BackendName: any ReceiveBackend], grace: UInt64,
        mostBatches: Int = 50, report: @escaping @Sendable (SettlementFollower.Event) -> Void = { _ in }
    ) {
        self.ledger = ledger
        self.backends = backends
        self.grace = grace
        self.mostBatches = mostBatches
        self.report = report
    }

    /// Whether a backend has more of them than one round deletes.
    package var isBehind: Bool { passes.withLock { $0.values.contains { $0.mark != nil } } }

    /// Deletes up to a few thousand invoices of each backend; the next round continues where this one ends.
    ///
    /// - Parameters:
    ///   - lease: the lease `upkeep`.
    /// - Returns: how many were deleted.
    /// - Throws: when the ledger fails; what was deleted by then stays deleted.
    package func round(at now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        guard now.seconds > grace else { return 0 }
        let moment = UnixTime(now.seconds - grace)
        var count = 0
        for (name, backend) in backends {
            var pass = passes.withLock { $0[name] } ?? Pass()
            guard pass.mark != nil || now >= pass.restsUntil else { continue }
            // How far it came, also when the ledger fails on the way.
            defer { passes.withLock { [pass] in $0[name] = pass } }
            count += try await round(of: name, backend, before: moment, at: now, lease, &pass)
        }
        return count
    }

    private func round(
        of name: BackendName, _ backend: any ReceiveBackend, before moment: UnixTime, at now: UnixTime,
        _ lease: Lease, _ pass: inout Pass
    ) async throws(LedgerFault) -> Int {
        var count = 0
        if pass.mark == nil { pass.begin(at: now, before: moment) }
        for batch in 0..<mostBatches {
            let found = try await ledger.expiredInvoices(
                of: name, before: moment, after: pass.mark, limit: Self.batch)
            if !found.isEmpty {
                guard !Task.isCancelled else { break }
                if batch == 0, try await !isKnownNode(name, backend) { break }
                let candidates = found.filter { $0.expiresAt >= pass.asksFrom }
                let (gone, asked) = try await judge(candidates, of: name, by: backend, isFirst: batch == 0)
                // The node's copies first: anything only the node deletes is found again here, and is then unknown to
                // it.
                guard (try? await backend.forget(gone, expiredBefore: moment)) != nil else { break }
                let times = found.map(\.createdAt)
                var forgotten = 0
                if let first = times.min(), let last = times.max() {
                    forgotten = try await ledger.forgetExpired(
                        gone, issuedIn: first...last, before: moment, under: lease)
                }
                count += forgotten
                if forgotten < asked { pass.hasKept = true }
                guard asked == candidates.count else {
                    if asked > 0 { pass.mark = candidates[asked - 1].mark }
                    break
                }
                pass.mark = found.last?.mark
            }
            if found.count < Self.batch {
                pass.end(at: now)
                break
            }
        }
        return count
    }

    /// Whether the node answers and is the one that made these invoices.
    private func isKnownNode(_ name: BackendName, _ backend: any ReceiveBackend) async throws(LedgerFault) -> Bool {
        guard let node = try? await backend.nodeInfo().nodeID else { return false }
        do {
            try await ledger.bind(name, to: node)
            return true
        } catch .anotherNode {
            return false
        }
    }

    /// Which of these can no longer turn out to be paid, and how many were judged until the node stopped answering.
    ///
    /// - Parameter isFirst: whether they are the first of a round, which passes over the first one if the node does not
    ///   answer for it: rounds begin where the last one ended, and one invoice must not hold up all others.
    private func judge(
        _ found: [ExpiredInvoice], of name: BackendName, by backend: any ReceiveBackend, isFirst: Bool
    ) async throws(LedgerFault) -> (gone: [PaymentHash], asked: Int) {
        let span = try await ledger.followedSpan(of: name)
        var gone: [PaymentHash] = []
        for (asked, invoice) in found.enumerated() {
            let status: PaymentStatus?
            do throws(BackendFault) {
                status = try await backend.status(of: invoice.paymentHash)
            } catch .malformedAnswer {
                // It stays; those behind it need not wait for it.
                continue
            } catch {
                if isFirst, asked == 0 { continue }
                return (gone, asked)
            }
            switch status {
            case .closed: gone.append(invoice.paymentHash)
            case .open: break
            case .settled:
                guard let settlement = status?.settlement(of: invoice.paymentHash) else { continue }
                if let paid = try await ledger.record(
                    settlement, of: invoice.paymentHash, issuedAt: invoice.createdAt, from: name)
                {
                    report(.settled(paid))
                }
            case nil: if let span, span.covers(invoice) { gone.append(invoice.paymentHash) }
            }
        }
        return (gone, found.count)
    }
}
