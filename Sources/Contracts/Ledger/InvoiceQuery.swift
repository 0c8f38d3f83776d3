public import LNURL
public import LightningCoding

/// Which invoices to list, newest first.
public struct InvoiceQuery: Hashable, Sendable {
    /// Only of this account.
    public var account: AddressName?
    /// Only of this backend.
    public var backend: BackendName?
    /// Only those that stand so at `now`.
    public var state: IssuedInvoice.State?
    /// The moment for which `state` is asked.
    public var now: UnixTime
    /// Where the page before ended.
    public var after: PageMark?
    /// How many at the most: 1 to 1,000.
    public var limit: Int

    /// Creates a query.
    public init(
        account: AddressName? = nil,
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
