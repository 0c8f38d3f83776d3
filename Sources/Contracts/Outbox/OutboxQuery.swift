public import LNURL
public import LightningCoding

/// Which work of the outbox to list, newest first.
public struct OutboxQuery: Hashable, Sendable {
    /// Only that of this account.
    public var account: AddressName?
    /// Only that of this kind.
    public var kind: OutboxKind?
    /// Only what was given up, or only what was not.
    public var isParked: Bool?
    /// Where the page before ended.
    public var after: PageMark?
    /// How much at the most: 1 to 1,000.
    public var limit: Int

    /// Creates a query.
    public init(
        account: AddressName? = nil, kind: OutboxKind? = nil, isParked: Bool? = nil, after: PageMark? = nil,
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

/// Work that was taken, and when to look again.
public struct OutboxClaim: Hashable, Sendable {
    /// What was taken, the longest due first; its `attempts` counts this one.
    public let work: [OutboxWork]
    /// When the next of that kind is due; nil when there is none.
    public let nextDue: UnixTime?

    /// Creates a claim.
    public init(work: [OutboxWork], nextDue: UnixTime?) {
        self.work = work
        self.nextDue = nextDue
    }
}

/// Figures of a ledger, by whatever process they came about.
public struct LedgerTotals: Hashable, Sendable {
    /// How many payments were ever written down.
    public let settlements: UInt64
    /// How much work is not given up, by kind.
    public let pending: [OutboxKind: UInt64]
    /// How much work is given up, by kind.
    public let parked: [OutboxKind: UInt64]

    /// Creates a record.
    public init(settlements: UInt64, pending: [OutboxKind: UInt64], parked: [OutboxKind: UInt64]) {
        self.settlements = settlements
        self.pending = pending
        self.parked = parked
    }
}
