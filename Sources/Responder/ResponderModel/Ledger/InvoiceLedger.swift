package import Bolt12
package import LightningCoding
package import LightningCrypto
package import Platform

/// The issued invoices, and the challenges and requests that they have consumed.
package protocol InvoiceLedger: Sendable {
    /// Stores an invoice before its text may leave, and consumes its claim in the same transaction.
    ///
    /// - Throws: `duplicateInvoice`, `challengeUsed`, `unknownOffer`, `offerDisabled`, `offerExhausted` or
    ///   `requestAnswered`; then nothing is written.
    func record(_ invoice: IssuedInvoice, using claim: InvoiceClaim?) async throws(LedgerFault)

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
    func invoices(_ query: InvoiceQuery) async throws(LedgerFault) -> Page<IssuedInvoice>

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

    /// Adds outbox work that anybody can cause, unless its id exists or as many pieces of its kind and subject are pending.
    ///
    /// - Returns: whether it was added.
    func add(_ work: OutboxWork, upTo most: Int) async throws(LedgerFault) -> Bool

    /// Notified of everything that this process writes, once per fact, after it is durable.
    var observers: Observers<LedgerFact> { get }
}

extension InvoiceLedger {
    package func arrange(at now: UnixTime, under lease: Lease) async throws(LedgerFault) {}

    /// The invoice with that hash, whenever it was issued, or nil.
    package func invoice(_ paymentHash: PaymentHash) async throws(LedgerFault) -> IssuedInvoice? {
        try await invoice(paymentHash, createdAt: nil)
    }

    /// Whether it is certain that no payer holds an invoice with that hash; never while the ledger cannot be read.
    package func isUnissued(_ paymentHash: PaymentHash) async -> Bool {
        do throws(LedgerFault) {
            return try await invoice(paymentHash) == nil
        } catch {
            return false
        }
    }
}

package struct InvoiceQuery: Hashable, Sendable {
    package var account: AccountID?
    package var backend: BackendName?
    /// Only those in this state at `now`.
    package var state: IssuedInvoice.State?
    /// The moment that `state` refers to.
    package var now: UnixTime
    package var after: PageMark?
    package var limit: Int

    package init(
        account: AccountID? = nil,
        backend: BackendName? = nil,
        state: IssuedInvoice.State? = nil,
        now: UnixTime,
        after: PageMark? = nil,
        limit: Int = 50
    ) {
        self.account = account
        self.backend = backend
        self.state = state
        self.now = now
        self.after = after
        self.limit = min(max(limit, 1), 1000)
    }
}

/// What an invoice consumes, stored in the same transaction, so that it can be used only once.
package enum InvoiceClaim: Hashable, Sendable {
    /// A challenge (LUD-18 `k1`) that a payer has answered.
    case challenge(UsedChallenge)
    case offer(OfferClaim)
    /// A request that may be repeated and then gets the same invoice while that can be paid.
    case request(RequestDigest)
}

/// A challenge (LUD-18 `k1`) that a payer has answered; valid for one invoice.
package struct UsedChallenge: Hashable, Sendable {
    /// Its 32 bytes.
    package let bytes: [UInt8]
    /// From when on it would be rejected anyway and may be deleted.
    package let expiresAt: UnixTime

    package init(bytes: [UInt8], expiresAt: UnixTime) {
        self.bytes = bytes
        self.expiresAt = expiresAt
    }
}

package struct OfferClaim: Hashable, Sendable {
    package let offer: OfferID
    /// Identifies a repeated request; nil when the same invoice must not be issued twice, as for an offer without
    /// issuer id (BOLT 12, "Requirements for Invoice Requests").
    package let request: RequestDigest?

    /// How long an expired unpaid invoice still counts as one of an offer's payments, in seconds: it may have been paid
    /// at the last moment, or the node's clock may be behind.
    package static let grace: UInt64 = 600

    package init(offer: OfferID, request: RequestDigest?) {
        self.offer = offer
        self.request = request
    }
}

package struct OpenInvoices: Hashable, Sendable {
    /// How many there are; counting stops at the limit.
    package let count: UInt64
    /// When the first of them expires; nil when there are none.
    package let nextExpiry: UnixTime?

    package init(count: UInt64, nextExpiry: UnixTime?) {
        self.count = count
        self.nextExpiry = nextExpiry
    }
}

package struct ExpiredInvoice: Hashable, Sendable {
    package let paymentHash: PaymentHash
    package let createdAt: UnixTime
    /// The first moment at which it could no longer be paid.
    package let expiresAt: UnixTime
    package let mark: Mark

    package init(paymentHash: PaymentHash, createdAt: UnixTime, expiresAt: UnixTime, mark: Mark) {
        self.paymentHash = paymentHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.mark = mark
    }

    /// A position in a ledger's list of expired invoices that stays valid while invoices are added and deleted.
    package struct Mark: Hashable, Sendable {
        /// The ledger's own id of the account.
        package let account: Int64
        package let expiresAt: UnixTime
        /// The ledger's own id of the invoice.
        package let position: Int64

        package init(account: Int64, expiresAt: UnixTime, position: Int64) {
            self.account = account
            self.expiresAt = expiresAt
            self.position = position
        }
    }
}

/// What this process has just written to a ledger, reported once, after it is durable; or could not write.
package enum LedgerFact: Sendable {
    /// An invoice was stored, about to be issued.
    case issued(IssuedInvoice)
    case settled(IssuedInvoice)
    case workDue
    /// An invoice that is not what was ordered; no work was added to cancel it, since the ledger failed, the same
    /// invoice is known already, or too many wait.
    case unrecordedMismatch(InvoiceMismatch)
}
