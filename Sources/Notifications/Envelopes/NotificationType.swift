import LightningCoding

/// The type of a notification, by its name in a push message: `lnurlpay_invoice`. Other names are custom types.
public struct NotificationType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Creates a type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Compares the names byte by byte.
    public static func == (one: NotificationType, other: NotificationType) -> Bool {
        one.rawValue.isExactly(other.rawValue)
    }

    /// Hashes the name's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(rawValue))
    }

    /// A payer requests the limits and metadata (LUD-06).
    public static let payInfo = NotificationType(rawValue: "lnurlpay_info")
    /// A payer requests a BOLT11 invoice (LUD-06).
    public static let payInvoice = NotificationType(rawValue: "lnurlpay_invoice")
    /// A payer asks whether an invoice has been paid (LUD-21).
    public static let payVerify = NotificationType(rawValue: "lnurlpay_verify")
    /// A payer requests a BOLT12 invoice; `invoice.request` as a webhook's event.
    public static let invoiceRequest = NotificationType(rawValue: "invoice_request")
    /// A swap changed its status; `swap.update` as a webhook's event.
    public static let swapUpdated = NotificationType(rawValue: "swap_updated")
    /// A payment is pending or received.
    public static let paymentReceived = NotificationType(rawValue: "payment_received")
    /// Transactions to an address were confirmed.
    public static let addressTransactionsConfirmed = NotificationType(rawValue: "address_txs_confirmed")
    /// A transaction was confirmed.
    public static let transactionConfirmed = NotificationType(rawValue: "tx_confirmed")
    /// The node's provider holds a payment until the app is open.
    public static let incomingHTLC = NotificationType(rawValue: "incomingHtlc")
    /// A payment waits for a channel to be opened.
    public static let channelPaymentArrived = NotificationType(rawValue: "cjitPaymentArrived")
    /// A channel has been paid for.
    public static let orderPaymentConfirmed = NotificationType(rawValue: "orderPaymentConfirmed")
    /// A channel was closed cooperatively.
    public static let mutualClose = NotificationType(rawValue: "mutualClose")
    /// Used when only an undecryptable payload names the type.
    public static let undecipherable = NotificationType(rawValue: "undecipherable")

    /// Whether a handler may answer it: custom types, and those whose built-in answer only shows a text.
    ///
    /// The others decide about money. An invoice must be checked, and recorded before it leaves; a preimage leaves only
    /// after settlement; and the node must be told of what it has to claim.
    public var allowsHandler: Bool {
        switch self {
        case .payInfo, .payInvoice, .payVerify, .invoiceRequest, .swapUpdated, .paymentReceived,
            .addressTransactionsConfirmed, .transactionConfirmed, .undecipherable:
            false
        default: true
        }
    }

    /// Whether it is an operator's own.
    public var isCustom: Bool {
        switch self {
        case .incomingHTLC, .channelPaymentArrived, .orderPaymentConfirmed, .mutualClose: false
        default: allowsHandler
        }
    }

    /// The longest accepted name, in bytes.
    public static let maximumCount = 64

    /// The same as `rawValue`.
    public var description: String { rawValue }
}
