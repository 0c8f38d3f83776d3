import LightningCoding
import LightningCrypto
import Contracts

/// Asks a node, by their hashes, about the ledger's unsettled invoices: where its stream of settlements begins behind what was paid, or
/// its count has begun anew.
///
/// First all that can still be paid, then those whose time was over a while ago, newest first. What is left out then is asked about
/// once more before it is forgotten (`ExpiredInvoiceRemoval`).
struct Reconciliation: Sendable {
    /// Where to follow from when it is done; nil for the beginning. Whatever is paid meanwhile lies behind it.
    let beginning: SettlementCursor?
    private let name: BackendName
    /// The moment for which invoices are open or expired: the same throughout, also when it is taken up again later.
    private let now: UnixTime
    private var state: IssuedInvoice.State? = .open
    private var mark: InvoicePage.Mark?
    private var countOfExpired = 0
    /// How many invoices that have expired are asked about at the most.
    private let mostExpired: Int

    /// Seconds for which invoices that have expired are asked about: a week.
    static let reach: UInt64 = 604_800
    private static let pageCount = 100

    init(of name: BackendName, at now: UnixTime, beginning: SettlementCursor?, mostExpired: Int = 10_000) {
        self.name = name
        self.now = now
        self.beginning = beginning
        self.mostExpired = mostExpired
    }

    /// Asks about what has not been asked about yet. After a fault it may be called again, and goes on where it was.
    ///
    /// - Parameter settled: is told of each invoice that turns out to be paid.
    /// - Returns: when the newest of the expired invoices that were left out was given out; nil when none were.
    mutating func run(
        _ backend: any ReceiveBackend, _ ledger: any Ledger, settled: (IssuedInvoice) -> Void
    ) async throws -> UnixTime? {
        while let state {
            let page = try await ledger.invoices(
                InvoiceQuery(backend: name, state: state, now: now, after: mark, limit: Self.pageCount))
            for invoice in page.invoices {
                if state == .expired {
                    guard countOfExpired < mostExpired, now.seconds(since: invoice.createdAt) <= Self.reach else {
                        self.state = nil
                        return invoice.createdAt
                    }
                }
                if let invoice = try await ledger.settle(invoice, at: backend) { settled(invoice) }
                if state == .expired { countOfExpired += 1 }
            }
            mark = page.next
            if mark == nil { self.state = state == .open ? .expired : nil }
        }
        return nil
    }
}

extension Ledger {
    /// Asks the node whether an invoice has been paid, and writes down that it has.
    ///
    /// - Returns: the invoice, when this call has settled it.
    fileprivate func settle(_ invoice: IssuedInvoice, at backend: any ReceiveBackend) async throws -> IssuedInvoice? {
        let status = try await backend.status(of: invoice.paymentHash)
        guard let settlement = status?.settlement(of: invoice.paymentHash) else { return nil }
        return try await record(settlement, of: invoice.paymentHash, from: invoice.backend)
    }
}

extension PaymentStatus {
    /// The payment of an invoice, where the node tells of one and proves it; nil otherwise.
    func settlement(of paymentHash: PaymentHash) -> RecordedSettlement? {
        guard case .settled(let time, let received, let preimage) = self else { return nil }
        let told = Settlement(
            paymentHash: paymentHash, preimage: preimage, received: received, settledAt: time,
            cursor: SettlementCursor(""))
        guard told.contradiction == nil else { return nil }
        return RecordedSettlement(settledAt: time, received: received, preimage: preimage)
    }
}
