public import LightningCoding
import LightningCrypto
public import Receiving

/// Takes invoices out of the ledger that were never paid, a good while after they could be: else it would grow for ever, since
/// anybody may ask for invoices.
///
/// What can still turn out to be paid stays. A node may tell of a payment long after it came, when it or we were away; so the
/// node is asked about each invoice before that goes, and without its word nothing goes: not when it does not answer, nor when
/// another node answers in its place, nor when it is not configured any more. Paid invoices stay for good.
public struct ExpiredInvoiceRemoval: Sendable {
    private let ledger: any Ledger
    private let backends: [BackendName: any ReceiveBackend]
    private let grace: UInt64

    /// How many invoices are forgotten in one transaction: others write in between.
    static let batch = 100
    /// How many such batches of each backend make up a round.
    static let mostBatches = 50
    /// How many invoices that must stay a round goes past, for each backend.
    static let mostKept = 1_000

    /// Creates a removal.
    ///
    /// - Parameter grace: seconds from the end of an invoice's time until it may go.
    public init(ledger: any Ledger, backends: [BackendName: any ReceiveBackend], grace: UInt64) {
        self.ledger = ledger
        self.backends = backends
        self.grace = grace
    }

    /// Goes once through what may go, up to a few thousand invoices of each backend.
    ///
    /// - Returns: how many are gone.
    /// - Throws: when the ledger fails; what was forgotten until then stays so.
    public func round(at now: UnixTime) async throws(LedgerFault) -> Int {
        guard now.seconds > grace else { return 0 }
        let moment = UnixTime(now.seconds - grace)
        var count = 0
        for (name, backend) in backends { count += try await round(of: name, backend, before: moment) }
        return count
    }

    private func round(
        of name: BackendName, _ backend: any ReceiveBackend, before moment: UnixTime
    ) async throws(LedgerFault) -> Int {
        var count = 0
        var kept: Set<PaymentHash> = []
        for batch in 0..<Self.mostBatches {
            let found = try await ledger.expiredInvoices(
                of: name, before: moment, limit: Self.batch + kept.count
            ).filter { !kept.contains($0) }.prefix(Self.batch)
            guard !found.isEmpty, !Task.isCancelled else { break }
            if batch == 0, try await !isKnownNode(name, backend) { break }
            let (gone, isAnswering) = await judge(found, by: backend, keeping: &kept)
            // The node's first: what it forgets alone is found again here, and then it knows nothing of it.
            guard (try? await backend.forget(gone, expiredBefore: moment)) != nil else { break }
            count += try await ledger.forgetExpired(gone, before: moment)
            guard isAnswering, found.count == Self.batch, kept.count < Self.mostKept else { break }
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

    /// Which of these can never be paid any more, as far as the node answers.
    private func judge(
        _ found: ArraySlice<PaymentHash>, by backend: any ReceiveBackend, keeping kept: inout Set<PaymentHash>
    ) async -> (gone: [PaymentHash], isAnswering: Bool) {
        var gone: [PaymentHash] = []
        for paymentHash in found {
            do throws(BackendFault) {
                switch try await backend.status(of: paymentHash) {
                case .expired, .cancelled, nil: gone.append(paymentHash)
                case .open, .settled: kept.insert(paymentHash)
                }
            } catch {
                return (gone, false)
            }
        }
        return (gone, true)
    }
}
