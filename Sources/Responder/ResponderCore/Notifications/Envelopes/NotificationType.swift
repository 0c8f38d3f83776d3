import LightningCoding

/// The type of a notification, by its name in a push message: `lnurlpay_invoice`. Other names are custom types.
package struct NotificationType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static func == (one: NotificationType, other: NotificationType) -> Bool {
        one.rawValue.isExactly(other.rawValue)
    }

    /// Hashes the name's bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(rawValue))
    }

    /// A payer requests the limits and metadata (LUD-06).
    package static let payInfo = NotificationType(rawValue: "lnurlpay_info")
    /// A payer requests a BOLT11 invoice (LUD-06).
    package static let payInvoice = NotificationType(rawValue: "lnurlpay_invoice")
    /// A payer asks whether an invoice has been paid (LUD-21).
    package static let payVerify = NotificationType(rawValue: "lnurlpay_verify")
    /// A payer requests a BOLT12 invoice; `invoice.request` as a webhook's event.
    package static let invoiceRequest = NotificationType(rawValue: "invoice_request")
    /// A swap changed its status; `swap.update` as a webhook's event.
    package static let swapUpdated = NotificationType(rawValue: "swap_updated")
    /// A payment is pending or received.
    package static let paymentReceived = NotificationType(rawValue: "payment_received")
    package static let addressTransactionsConfirmed = NotificationType(rawValue: "address_txs_confirmed")
    package static let transactionConfirmed = NotificationType(rawValue: "tx_confirmed")
    /// The node's provider holds a payment until the app is open.
    package static let incomingHTLC = NotificationType(rawValue: "incomingHtlc")
    /// A payment waits for a channel to be opened.
    package static let channelPaymentArrived = NotificationType(rawValue: "cjitPaymentArrived")
    package static let orderPaymentConfirmed = NotificationType(rawValue: "orderPaymentConfirmed")
    package static let mutualClose = NotificationType(rawValue: "mutualClose")
    /// Used when only an undecryptable payload names the type.
    package static let undecipherable = NotificationType(rawValue: "undecipherable")

    /// Whether a handler may answer it: custom types, and those whose built-in answer only shows a text.
    ///
    /// The others decide about money. An invoice must be checked, and recorded before it leaves; a preimage leaves only
    /// after settlement; and the node must be told of what it has to claim.
    package var allowsHandler: Bool {
        switch self {
        case .payInfo, .payInvoice, .payVerify, .invoiceRequest, .swapUpdated, .paymentReceived,
            .addressTransactionsConfirmed, .transactionConfirmed, .undecipherable:
            false
        default: true
        }
    }

    package var isCustom: Bool {
        switch self {
        case .incomingHTLC, .channelPaymentArrived, .orderPaymentConfirmed, .mutualClose: false
        default: allowsHandler
        }
    }

    /// The longest accepted name, in bytes.
    package static let maximumCount = 64

    package var description: String { rawValue }
}
