import LightningCoding
import LightningCrypto
import ResponderModel

/// Queries a node about the ledger's unsettled invoices, by hash, when the node's stream of settlements begins after
/// some payments or its count was reset.
///
/// First all that can still be paid, then recently expired ones, newest first. Those left out are queried once more
/// before they are deleted (`ExpiredInvoiceRemoval`).
struct Reconciliation: Sendable {
    /// Where to follow from afterwards; nil for the beginning. Payments received meanwhile come after it.
    let beginning: SettlementCursor?
    private let name: BackendName
    /// The moment that decides which invoices are open or expired: the same throughout, even when resumed later.
    private let now: UnixTime
    private var state: IssuedInvoice.State? = .open
    private var mark: PageMark?
    private var countOfExpired = 0
    private var countOfAnswers = 0
    private let mostExpired: Int

    /// How long ago, in seconds, queried invoices may have expired: a week.
    static let reach: UInt64 = 604_800
    private static let pageCount = 100

    init(of name: BackendName, at now: UnixTime, beginning: SettlementCursor?, mostExpired: Int = 10_000) {
        self.name = name
        self.now = now
        self.beginning = beginning
        self.mostExpired = mostExpired
    }

    /// Queries what has not been queried yet. After a fault it may be called again and continues where it stopped.
    ///
    /// - Returns: when the newest of the skipped expired invoices was issued; nil when none was skipped.
    mutating func run(
        _ backend: any ReceiveBackend, _ ledger: any InvoiceLedger & SettlementLedger, settled: (IssuedInvoice) -> Void
    ) async throws -> UnixTime? {
        while let state {
            let page = try await ledger.invoices(
                InvoiceQuery(backend: name, state: state, now: now, after: mark, limit: Self.pageCount))
            for invoice in page.elements {
                if state == .expired {
                    guard countOfExpired < mostExpired, now.seconds(since: invoice.createdAt) <= Self.reach else {
                        self.state = nil
                        return invoice.createdAt
                    }
                }
                if let invoice = try await settle(invoice, backend, ledger) { settled(invoice) }
                if state == .expired { countOfExpired += 1 }
            }
            mark = page.next
            if mark == nil { self.state = state == .open ? .expired : nil }
        }
        return nil
    }

    /// Queries the node about an invoice. One about which the node says nothing readable is passed over, so that it does not
    /// hold up all others, as long as the node answers readably otherwise, if only about an invoice that nobody has: a proxy
    /// that answers everything with a page of its own must not pass for "not paid".
    private mutating func settle(
        _ invoice: IssuedInvoice, _ backend: any ReceiveBackend, _ ledger: any InvoiceLedger & SettlementLedger
    ) async throws -> IssuedInvoice? {
        do {
            let settled = try await ledger.settle(invoice, at: backend)
            countOfAnswers += 1
            return settled
        } catch BackendFault.malformedAnswer {
            if countOfAnswers == 0 {
                _ = try await backend.status(of: PaymentHash(SHA256.hash(invoice.paymentHash.bytes)))
                countOfAnswers = 1
            }
            return nil
        }
    }
}

extension SettlementLedger {
    /// Queries the node about an invoice and records its payment.
    ///
    /// - Returns: the invoice, when this call has settled it.
    fileprivate func settle(_ invoice: IssuedInvoice, at backend: any ReceiveBackend) async throws -> IssuedInvoice? {
        let status = try await backend.status(of: invoice.paymentHash)
        guard let settlement = status?.settlement(of: invoice.paymentHash) else { return nil }
        return try await record(
            settlement, of: invoice.paymentHash, issuedAt: invoice.createdAt, from: invoice.backend)
    }
}

extension PaymentStatus {
    /// The payment of an invoice, when the node reports one and proves it; else nil.
    func settlement(of paymentHash: PaymentHash) -> RecordedSettlement? {
        guard case .settled(let time, let received, let preimage) = self else { return nil }
        let told = Settlement(
            paymentHash: paymentHash, preimage: preimage, received: received, settledAt: time,
            cursor: SettlementCursor(""))
        guard told.contradiction == nil else { return nil }
        return RecordedSettlement(settledAt: time, received: received, preimage: preimage)
    }
}
