public import LightningCoding
import LightningCrypto
import Platform
public import Contracts

/// Takes invoices out of the ledger that were never paid, a good while after they could be: else it would grow for ever, since
/// anybody may ask for invoices.
///
/// What can still turn out to be paid stays. A node may tell of a payment long after it came, when it or we were away; so the
/// node is asked about each invoice before that goes, and what it says counts, not our clock:
/// - expired or cancelled: it goes;
/// - settled, with the preimage: it is written down as paid, and stays for good;
/// - open: it stays;
/// - unknown: it goes only if the node's settlements were followed all the while it could be paid (`FollowedSpan.covers(_:)`), since
///   nodes may be set to delete what was paid, too;
/// - nothing, since the node does not answer, is another one, or is not configured any more: it stays.
public struct ExpiredInvoiceRemoval: Sendable {
    private let ledger: any Ledger
    private let backends: [BackendName: any ReceiveBackend]
    private let grace: UInt64
    private let report: @Sendable (SettlementFollower.Event) -> Void
    private let passes = Guarded<[BackendName: Pass]>([:])

    /// How many invoices are forgotten in one transaction: others write in between.
    static let batch = 100
    /// How many such batches of each backend make up a round.
    static let mostBatches = 50
    /// Seconds from the end of a pass in which some had to stay until the next one begins: an hour.
    static let rest: UInt64 = 3_600

    /// How far the way through a backend's expired invoices has come: over several rounds, when there are many.
    private struct Pass {
        var mark: ExpiredInvoice.Mark?
        var hasKept = false
        /// When the next one may begin.
        var restsUntil = UnixTime(0)
    }

    /// Creates a removal.
    ///
    /// - Parameters:
    ///   - grace: seconds from the end of an invoice's time until it may go.
    ///   - report: is told of each invoice that turns out to be paid.
    public init(
        ledger: any Ledger, backends: [BackendName: any ReceiveBackend], grace: UInt64,
        report: @escaping @Sendable (SettlementFollower.Event) -> Void = { _ in }
    ) {
        self.ledger = ledger
        self.backends = backends
        self.grace = grace
        self.report = report
    }

    /// Goes through what may go, up to a few thousand invoices of each backend; the next round goes on where this one ends.
    ///
    /// - Returns: how many are gone.
    /// - Throws: when the ledger fails; what was forgotten until then stays so.
    public func round(at now: UnixTime) async throws(LedgerFault) -> Int {
        guard now.seconds > grace else { return 0 }
        let moment = UnixTime(now.seconds - grace)
        var count = 0
        for (name, backend) in backends {
            var pass = passes.withLock { $0[name] } ?? Pass()
            guard pass.mark != nil || now >= pass.restsUntil else { continue }
            count += try await round(of: name, backend, before: moment, at: now, &pass)
            passes.withLock { [pass] in $0[name] = pass }
        }
        return count
    }

    private func round(
        of name: BackendName, _ backend: any ReceiveBackend, before moment: UnixTime, at now: UnixTime,
        _ pass: inout Pass
    ) async throws(LedgerFault) -> Int {
        var count = 0
        for batch in 0..<Self.mostBatches {
            let found = try await ledger.expiredInvoices(
                of: name, before: moment, after: pass.mark, limit: Self.batch)
            if !found.isEmpty {
                guard !Task.isCancelled else { break }
                if batch == 0, try await !isKnownNode(name, backend) { break }
                let (gone, asked) = try await judge(found, of: name, by: backend)
                // The node's first: what it forgets alone is found again here, and then it knows nothing of it.
                guard (try? await backend.forget(gone, expiredBefore: moment)) != nil else { break }
                count += try await ledger.forgetExpired(gone, before: moment)
                if gone.count < asked { pass.hasKept = true }
                guard asked == found.count else {
                    if asked > 0 { pass.mark = found[asked - 1].mark }
                    break
                }
                pass.mark = found[asked - 1].mark
            }
            if found.count < Self.batch {
                pass = Pass(restsUntil: pass.hasKept ? now.adding(seconds: Self.rest) : UnixTime(0))
                break
            }
        }
        return count
    }

    /// Whether the node answers and is the one whose invoices these are.
    private func isKnownNode(_ name: BackendName, _ backend: any ReceiveBackend) async throws(LedgerFault) -> Bool {
        guard let node = try? await backend.nodeInfo().nodeID else { return false }
        do {
            try await ledger.bind(name, to: node)
            return true
        } catch .anotherNode {
            return false
        }
    }

    /// Which of these can never turn out to be paid any more, and how many of them the node has answered for.
    private func judge(
        _ found: [ExpiredInvoice], of name: BackendName, by backend: any ReceiveBackend
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
                return (gone, asked)
            }
            switch status {
            case .expired, .cancelled: gone.append(invoice.paymentHash)
            case .open: break
            case .settled:
                guard let settlement = status?.settlement(of: invoice.paymentHash) else { continue }
                if let paid = try await ledger.record(settlement, of: invoice.paymentHash, from: name) {
                    report(.settled(paid))
                }
            case nil: if let span, span.covers(invoice) { gone.append(invoice.paymentHash) }
            }
        }
        return (gone, found.count)
    }
}
