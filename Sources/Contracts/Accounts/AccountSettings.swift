public import LNURL
public import LightningCoding

/// What the owner of an account decides.
public struct AccountSettings: Hashable, Sendable {
    /// The short text that every wallet shows (`text/plain`).
    public var description: String
    /// The longer text (`text/long-desc`, LUD-20).
    public var longDescription: String?
    /// The picture (`image/png;base64`, `image/jpeg;base64`).
    public var image: PayMetadata.Image?
    /// Whether the address is a mailbox too, and so stands as `text/email` instead of `text/identifier` (LUD-16).
    public var isMailbox: Bool
    /// The least amount, in msat; nil leaves it to the node.
    public var minSendable: Millisatoshi?
    /// The greatest amount, in msat; nil leaves it to the node.
    public var maxSendable: Millisatoshi?
    /// How many characters a comment may have (LUD-12); 0 means none.
    public var commentAllowed: Int
    /// What payers are asked about themselves (LUD-18); its `k1` is not set, since each answer gets its own.
    public var payerData: PayerDataSpec
    /// What a wallet does after the payment (LUD-09, LUD-10).
    public var successAction: AccountSuccessAction
    /// Seconds during which an invoice can be paid.
    public var invoiceExpiry: UInt64
    /// Which backend receives the money.
    public var backend: BackendName
    /// Who is told of payments to this account, in place of whom the service tells of all; nil leaves it to that.
    public var settlementWebhook: SettlementWebhook?

    /// How many characters of a comment an account may allow.
    public static let commentRange: ClosedRange<UInt64> = 0...2_000
    /// For how many seconds an invoice of an account may be payable: a minute to a week.
    public static let invoiceExpiryRange: ClosedRange<UInt64> = 60...604_800
    /// The amounts, in msat, that may be an account's least or greatest one.
    public static let amountRange: ClosedRange<UInt64> = 1...Millisatoshi.maximum.msat

    /// Settings with which an address works: a description, comments of 255 characters, invoices of ten minutes.
    public init(description: String, backend: BackendName) {
        self.description = description
        self.backend = backend
        longDescription = nil
        image = nil
        isMailbox = false
        minSendable = nil
        maxSendable = nil
        commentAllowed = 255
        payerData = PayerDataSpec([:])
        successAction = .none
        invoiceExpiry = 600
        settlementWebhook = nil
    }
}
