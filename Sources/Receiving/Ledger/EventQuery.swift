public import LNURL

/// Which handled notifications to list, newest first.
public struct EventQuery: Hashable, Sendable {
    /// Only of this account.
    public var account: AddressName?
    /// Where the page before ended.
    public var after: EventPage.Mark?
    /// How many at the most: 1 to 1,000.
    public var limit: Int

    /// Creates a query.
    public init(account: AddressName? = nil, after: EventPage.Mark? = nil, limit: Int = 50) {
        self.account = account
        self.after = after
        self.limit = min(max(limit, 1), 1000)
    }
}

/// A page of handled notifications, newest first.
public struct EventPage: Sendable {
    /// The notifications.
    public let events: [EventRecord]
    /// Where the next page begins; nil on the last one.
    public let next: Mark?

    /// Creates a page.
    public init(events: [EventRecord], next: Mark?) {
        self.events = events
        self.next = next
    }

    /// A place in the list that stays valid while notifications are added.
    public struct Mark: Hashable, Sendable {
        /// The ledger's own counter.
        public let position: Int64

        /// Creates a mark.
        public init(position: Int64) {
            self.position = position
        }
    }
}
