package import LightningCoding
package import LightningCrypto

/// The payments, and how far the settlements of each node have been read.
///
/// Who follows the settlements of a backend holds the lease `following` of it. Under a lease that was lost nothing is
/// written, and `leaseLost` is thrown.
package protocol SettlementLedger: Sendable {
    /// Stores a settlement together with the backend's cursor. A settlement of an unknown or already settled invoice
    /// moves the cursor only; but a payment of an offer that this node has made for an account adds the invoice,
    /// settled, even when the offer is disabled or the account removed, since the money has arrived.
    ///
    /// - Parameter issuedAt: when the invoice was issued, as the ledger has it, if known, which may make it quicker to find.
    /// - Returns: the invoice, when this call has settled it.
    func record(
        _ settlement: Settlement,
        issuedAt: UnixTime?,
        from backend: BackendName,
        under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice?

    /// Stores the settlement of an invoice that was looked up by its hash. Its position in the node's order is unknown,
    /// so the backend's cursor does not move, and it takes no lease.
    ///
    /// - Parameter issuedAt: when the invoice was issued, as the ledger has it, if known, which may make it quicker to find.
    /// - Returns: the invoice, when this call has settled it.
    func record(
        _ settlement: RecordedSettlement,
        of paymentHash: PaymentHash,
        issuedAt: UnixTime?,
        from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice?

    /// Moves the cursor of a backend past settlements that change nothing here.
    func pass(
        to cursor: SettlementCursor, of backend: BackendName, under lease: Lease
    ) async throws(LedgerFault)

    /// Moves the cursor of a backend past a payment whose report cannot be read, and records that. The invoice of such a
    /// payment is never deleted.
    func pass(
        over skipped: UnreadableSettlement, of backend: BackendName, at now: UnixTime, under lease: Lease
    ) async throws(LedgerFault)

    /// The payments that were passed over, except those of invoices that are settled now; the newest first, up to a limit.
    func skippedSettlements(limit: Int) async throws(LedgerFault) -> [SkippedSettlement]

    /// The cursor after the last stored settlement of a backend.
    func cursor(of backend: BackendName) async throws(LedgerFault) -> SettlementCursor?

    /// Deletes the cursor of a backend whose count was reset.
    func forgetCursor(of backend: BackendName, under lease: Lease) async throws(LedgerFault)

    /// Records that the settlements of a backend are being followed; a gap longer than `FollowedSpan.longestPause` starts a new span.
    func noteFollowing(_ backend: BackendName, at now: UnixTime, under lease: Lease) async throws(LedgerFault)

    /// The time over which the settlements of a backend were followed without a gap; nil when they never were.
    func followedSpan(of backend: BackendName) async throws(LedgerFault) -> FollowedSpan?

    /// Checks that the backend is still the same node: for a different one, its cursor and invoices would be
    /// meaningless. The first node is remembered.
    ///
    /// - Throws: `anotherNode` when it is not.
    func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault)

    /// Deletes the node, cursor and followed span of a backend; false when nothing was stored. Its invoices stay.
    func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool
}

extension SettlementLedger {
    /// Stores a settlement together with the backend's cursor, whenever the invoice was issued.
    package func record(
        _ settlement: Settlement, from backend: BackendName, under lease: Lease
    ) async throws(LedgerFault) -> IssuedInvoice? {
        try await record(settlement, issuedAt: nil, from: backend, under: lease)
    }

    /// Stores the settlement of an invoice that was looked up by its hash, whenever it was issued.
    package func record(
        _ settlement: RecordedSettlement, of paymentHash: PaymentHash, from backend: BackendName
    ) async throws(LedgerFault) -> IssuedInvoice? {
        try await record(settlement, of: paymentHash, issuedAt: nil, from: backend)
    }
}

/// The time over which the settlements of a backend were followed without a gap: payments in it are known even if the
/// node has deleted its own record since.
package struct FollowedSpan: Hashable, Sendable {
    package let since: UnixTime
    /// Its end, as far as known.
    package let until: UnixTime

    /// The longest pause, or change of the clock, in seconds, that does not count as a gap: a day. The cursor does not
    /// move meanwhile, so payments are still reported, unless the node deletes its record of a payment sooner.
    package static let longestPause: UInt64 = 86_400

    package init(since: UnixTime, until: UnixTime) {
        self.since = since
        self.until = until
    }

    /// Whether a payment of an invoice would have been noticed: following began before the invoice was issued and
    /// lasted until a day after it expired.
    package func covers(_ invoice: ExpiredInvoice) -> Bool {
        since <= invoice.createdAt && until >= invoice.expiresAt.adding(seconds: Self.longestPause)
    }
}

/// A payment that was passed over, since its report could not be read or recorded.
package struct SkippedSettlement: Hashable, Sendable {
    package let backend: BackendName
    /// The hash of the invoice that was paid; nil when not even that could be read.
    package let paymentHash: PaymentHash?
    package let reason: String
    /// The position in the node's stream of settlements, as `UnreadableSettlement.cursor`.
    package let cursor: SettlementCursor?
    package let skippedAt: UnixTime

    package init(
        backend: BackendName, paymentHash: PaymentHash?, reason: String, cursor: SettlementCursor?, skippedAt: UnixTime
    ) {
        self.backend = backend
        self.paymentHash = paymentHash
        self.reason = reason
        self.cursor = cursor
        self.skippedAt = skippedAt
    }
}
