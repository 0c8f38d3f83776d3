public import LNURL
public import LightningCoding
public import LightningCrypto

/// The settings of an account that its owner chooses.
public struct AccountSettings: Hashable, Sendable {
    /// The short text that every wallet shows (`text/plain`).
    public var description: String
    /// The longer text (`text/long-desc`, LUD-20).
    public var longDescription: String?
    /// The picture (`image/png;base64`, `image/jpeg;base64`).
    public var image: PayMetadata.Image?
    /// Whether the address is also a mailbox and is listed as `text/email` instead of `text/identifier` (LUD-16).
    public var isMailbox: Bool
    /// The minimum amount, in msat; nil is the domain's, or else ``usualMinimum``, or more where the node asks for more.
    public var minSendable: Millisatoshi?
    /// The maximum amount, in msat; nil leaves it to the node.
    public var maxSendable: Millisatoshi?
    /// The maximum length of a comment, in characters (LUD-12); 0 disables comments.
    public var commentAllowed: Int
    /// What payers are asked about themselves (LUD-18); `k1` is unset, since each response gets its own.
    public var payerData: PayerDataSpec
    /// What a wallet does after the payment (LUD-09, LUD-10).
    public var successAction: AccountSuccessAction
    /// How long an invoice can be paid, in seconds.
    public var invoiceExpiry: UInt64
    /// Which backend receives the money.
    public var backend: BackendName
    /// Where payments to this account are reported instead of the service-wide webhook; nil uses that one.
    public var settlementWebhook: SettlementWebhook?
    /// Whose devices are told of payments: the node key with which a wallet registers them; nil for nobody's.
    public var owner: PublicKey?

    /// The allowed range of `commentAllowed`, in characters.
    public static let commentRange: ClosedRange<UInt64> = 0...2_000
    /// The allowed range of `invoiceExpiry`, in seconds: a minute to a week.
    public static let invoiceExpiryRange: ClosedRange<UInt64> = 60...604_800
    /// The minimum amount where nobody has said another: a sat.
    public static let usualMinimum = Millisatoshi(1000)
    /// The allowed range of `minSendable` and `maxSendable`, in msat.
    public static let amountRange: ClosedRange<UInt64> = 1...Millisatoshi.maximum.msat

    /// Default settings: a description, comments of 255 characters, invoices of ten minutes.
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
        owner = nil
    }
}
