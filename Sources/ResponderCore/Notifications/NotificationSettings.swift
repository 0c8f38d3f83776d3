/// What an operator or an app decides about notifications.
public struct NotificationSettings: Sendable {
    /// Seconds for which the first answer of LNURL-pay may be kept. A changed description takes effect so much later.
    public var infoMaxAge: UInt64
    /// Seconds for which the answer may be kept that an invoice is not paid yet.
    public var openMaxAge: UInt64
    /// Seconds for which the answer may be kept that an invoice is paid.
    public var settledMaxAge: UInt64
    /// Whether the node is asked about invoices that are not settled in the ledger: for processes beside which nobody writes
    /// settlements down.
    public var asksNode: Bool
    /// How often a payment is looked for while it is waited for.
    public var followInterval: Duration
    /// The words for people.
    public var texts: NotificationTexts

    /// A minute, 3 seconds, a week.
    public init(
        infoMaxAge: UInt64 = 60,
        openMaxAge: UInt64 = 3,
        settledMaxAge: UInt64 = 604_800,
        asksNode: Bool = false,
        followInterval: Duration = .seconds(1),
        texts: NotificationTexts = NotificationTexts()
    ) {
        self.infoMaxAge = infoMaxAge
        self.openMaxAge = openMaxAge
        self.settledMaxAge = settledMaxAge
        self.asksNode = asksNode
        self.followInterval = followInterval
        self.texts = texts
    }
}
