import LightningCoding

/// What a notification is about, by its name in a push message: `lnurlpay_invoice`. Other names are types of one's own.
public struct NotificationType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// A type of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whether both have the same name, byte by byte.
    public static func == (one: NotificationType, other: NotificationType) -> Bool {
        one.rawValue.isExactly(other.rawValue)
    }

    /// Hashes the name's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(rawValue))
    }

    /// A payer asks what may be sent (LUD-06).
    public static let payInfo = NotificationType(rawValue: "lnurlpay_info")
    /// A payer asks for a BOLT11 invoice (LUD-06).
    public static let payInvoice = NotificationType(rawValue: "lnurlpay_invoice")
    /// A payer asks whether an invoice has been paid (LUD-21).
    public static let payVerify = NotificationType(rawValue: "lnurlpay_verify")
    /// A payer asks for a BOLT12 invoice; `invoice.request` as a webhook's event.
    public static let invoiceRequest = NotificationType(rawValue: "invoice_request")
    /// A swap has moved on; `swap.update` as a webhook's event.
    public static let swapUpdated = NotificationType(rawValue: "swap_updated")
    /// A payment is on its way, or has arrived.
    public static let paymentReceived = NotificationType(rawValue: "payment_received")
    /// Transactions to an address have been confirmed.
    public static let addressTransactionsConfirmed = NotificationType(rawValue: "address_txs_confirmed")
    /// A transaction has been confirmed.
    public static let transactionConfirmed = NotificationType(rawValue: "tx_confirmed")
    /// The node's provider holds a payment until the app is open.
    public static let incomingHTLC = NotificationType(rawValue: "incomingHtlc")
    /// A payment waits for a channel that is opened for it.
    public static let channelPaymentArrived = NotificationType(rawValue: "cjitPaymentArrived")
    /// A channel has been bought and paid for.
    public static let orderPaymentConfirmed = NotificationType(rawValue: "orderPaymentConfirmed")
    /// A channel has been closed in agreement.
    public static let mutualClose = NotificationType(rawValue: "mutualClose")
    /// What stands in for a type that only an encrypted payload would tell.
    public static let undecipherable = NotificationType(rawValue: "undecipherable")

    /// The longest name that is read, in bytes.
    public static let maximumCount = 64

    /// The same as `rawValue`.
    public var description: String { rawValue }
}
