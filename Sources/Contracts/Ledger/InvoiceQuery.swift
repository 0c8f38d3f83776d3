public import LightningCoding

/// Which invoices to list, newest first.
public struct InvoiceQuery: Hashable, Sendable {
    /// Only those of this account.
    public var account: AccountID?
    /// Only those of this backend.
    public var backend: BackendName?
    /// Only those in this state at `now`.
    public var state: IssuedInvoice.State?
    /// The moment that `state` refers to.
    public var now: UnixTime
    /// Where the previous page ended.
    public var after: PageMark?
    /// The page size: 1 to 1,000.
    public var limit: Int

    /// Creates a query.
    public init(
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
