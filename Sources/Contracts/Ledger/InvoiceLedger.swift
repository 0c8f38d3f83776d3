public import LightningCoding
public import LightningCrypto
public import Platform

/// The issued invoices, and the challenges and requests that they have consumed.
public protocol InvoiceLedger: Sendable {
    /// Stores an invoice before its text may leave, and consumes its claim in the same transaction.
    ///
    /// - Throws: `duplicateInvoice`, `challengeUsed`, `unknownOffer`, `offerDisabled`, `offerExhausted` or
    ///   `requestAnswered`; then nothing is written.
    func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault)

    /// Whether a challenge has been used.
    func isUsed(_ challenge: UsedChallenge) async throws(LedgerFault) -> Bool

    /// How many invoices of an account can still be paid, counted up to a limit.
    func openInvoices(
        of account: AccountID, at now: UnixTime, countingTo limit: UInt64
    ) async throws(LedgerFault) -> OpenInvoices

    /// The invoice with that hash, or nil.
    ///
    /// - Parameter createdAt: when it was issued, if known, which may make it quicker to find. One issued at another time
    ///   is then not found.
    func invoice(_ paymentHash: PaymentHash, createdAt: UnixTime?) async throws(LedgerFault) -> IssuedInvoice?

    /// A page of invoices, newest first.
    func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> InvoicePage

    /// The invoice issued for a request while it can be paid; nil when there is none, or when it has been paid or has
    /// expired.
    func answer(to request: RequestDigest, at now: UnixTime) async throws(LedgerFault) -> IssuedInvoice?

    /// Deletes expired challenges and requests; returns how many. Forgets the addresses of removed devices that may be woken
    /// again.
    ///
    /// - Throws: `leaseLost`, and then nothing is deleted.
    func prune(before now: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int

    /// Does what a ledger must do from time to time that changes no record, such as making tables for the days to come;
    /// nothing by default.
    ///
    /// - Throws: `leaseLost`, and then nothing is done; `busy` when some of it is left for the next time.
    func arrange(at now: UnixTime, under lease: Lease) async throws(LedgerFault)

    /// Invoices of a backend that expired unpaid before a moment, up to a limit, in an order of the ledger's own.
    ///
    /// - Parameter mark: where to continue; nil for the beginning.
    func expiredInvoices(
        of backend: BackendName, before moment: UnixTime, after mark: ExpiredInvoice.Mark?, limit: Int
    ) async throws(LedgerFault) -> [ExpiredInvoice]

    /// Deletes those of these invoices that expired unpaid before a moment, with the requests that they answered;
    /// returns how many. Others are never deleted, nor those whose payment was reported and could not be read.
    ///
    /// - Parameter span: when they were issued, which may make them quicker to find. Those issued at other times may stay.
    /// - Throws: `leaseLost`, and then nothing is deleted.
    func forgetExpired(
        _ paymentHashes: [PaymentHash], issuedIn span: ClosedRange<UnixTime>, before moment: UnixTime,
        under lease: Lease
    ) async throws(LedgerFault) -> Int

    /// Adds outbox work that anybody can cause, unless its id exists or as many pieces are pending whose ids differ from its
    /// id only in the hexadecimal digits at the end.
    ///
    /// - Returns: whether it was added.
    func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault) -> Bool

    /// Notified of everything that this process writes, once per fact, after it is durable.
    var observers: Observers<LedgerFact> { get }
}

extension InvoiceLedger {
    /// Nothing.
    public func arrange(at now: UnixTime, under lease: Lease) async throws(LedgerFault) {}

    /// The invoice with that hash, whenever it was issued, or nil.
    public func invoice(_ paymentHash: PaymentHash) async throws(LedgerFault) -> IssuedInvoice? {
        try await invoice(paymentHash, createdAt: nil)
    }
}
