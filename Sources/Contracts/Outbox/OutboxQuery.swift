public import LightningCoding

/// Which work of the outbox to list, newest first.
public struct OutboxQuery: Hashable, Sendable {
    /// Only work of this account.
    public var account: AccountID?
    /// Only work of this kind.
    public var kind: OutboxKind?
    /// Only parked work, or only work that is not.
    public var isParked: Bool?
    /// Where the previous page ended.
    public var after: PageMark?
    /// The page size: 1 to 1,000.
    public var limit: Int

    /// Creates a query.
    public init(
        account: AccountID? = nil, kind: OutboxKind? = nil, isParked: Bool? = nil, after: PageMark? = nil,
        limit: Int = 50
    ) {
        self.account = account
        self.kind = kind
        self.isParked = isParked
        self.after = after
        self.limit = min(max(limit, 1), 1000)
    }
}

/// A page of work in the outbox.
public typealias OutboxPage = Page<OutboxWork>

/// Claimed work, and when to look again.
public struct OutboxClaim: Hashable, Sendable {
    /// The claimed work, longest due first; `attempts` includes this one.
    public let work: [OutboxWork]
    /// When the next work of that kind is due; nil when there is none.
    public let nextDue: UnixTime?

    /// Creates a claim.
    public init(work: [OutboxWork], nextDue: UnixTime?) {
        self.work = work
        self.nextDue = nextDue
    }
}

/// Totals of a ledger, over all processes.
public struct LedgerTotals: Hashable, Sendable {
    /// How many payments have ever been recorded.
    public let settlements: UInt64
    /// How much work is pending, by kind.
    public let pending: [OutboxKind: UInt64]
    /// How much work is parked, by kind.
    public let parked: [OutboxKind: UInt64]

    /// Creates a value.
    public init(settlements: UInt64, pending: [OutboxKind: UInt64], parked: [OutboxKind: UInt64]) {
        self.settlements = settlements
        self.pending = pending
        self.parked = parked
    }
}
