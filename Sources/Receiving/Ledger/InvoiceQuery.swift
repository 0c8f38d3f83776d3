public import LNURL
public import LightningCoding

/// Which invoices to list, newest first.
public struct InvoiceQuery: Hashable, Sendable {
    /// Only of this account.
    public var account: AddressName?
    /// Only those that stand so at `now`.
    public var state: IssuedInvoice.State?
    /// The moment for which `state` is asked.
    public var now: UnixTime
    /// Where the page before ended.
    public var after: InvoicePage.Mark?
    /// How many at the most: 1 to 1,000.
    public var limit: Int

    /// Creates a query.
    public init(
        account: AddressName? = nil,
        state: IssuedInvoice.State? = nil,
        now: UnixTime,
        after: InvoicePage.Mark? = nil,
        limit: Int = 50
    ) {
        self.account = account
        self.state = state
        self.now = now
        self.after = after
        self.limit = min(max(limit, 1), 1000)
    }
}

/// A page of invoices, newest first.
public struct InvoicePage: Sendable {
    /// The invoices.
    public let invoices: [IssuedInvoice]
    /// Where the next page begins; nil on the last one.
    public let next: Mark?

    /// Creates a page.
    public init(invoices: [IssuedInvoice], next: Mark?) {
        self.invoices = invoices
        self.next = next
    }

    /// A place in the list that stays valid while invoices are added.
    public struct Mark: Hashable, Sendable {
        /// The ledger's own counter.
        public let position: Int64

        /// Creates a mark.
        public init(position: Int64) {
            self.position = position
        }
    }
}
