/// Which handled notifications to list, newest first.
public struct EventQuery: Hashable, Sendable {
    /// Only those of this account.
    public var account: AccountID?
    /// Where the previous page ended.
    public var after: PageMark?
    /// The page size: 1 to 1,000.
    public var limit: Int

    /// Creates a query.
    public init(account: AccountID? = nil, after: PageMark? = nil, limit: Int = 50) {
        self.account = account
        self.after = after
        self.limit = min(max(limit, 1), 1000)
    }
}
