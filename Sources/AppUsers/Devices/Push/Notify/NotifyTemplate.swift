/// The notifications that senders post to `/api/v1/notify`, as `{"template":…,"data":{…}}` or `{"event":…,"data":{…}}`.
///
/// Source: breez/notify, `http/router.go` and `notify/notify.go` at 54b1cdc4.
package enum NotifyTemplate: CaseIterable, Sendable {
    /// A payment has come, or waits.
    case paymentReceived
    case transactionConfirmed
    case addressTransactionsConfirmed
    case payInfo
    case payInvoice
    /// A payer asks whether an invoice was paid.
    case payVerify
    case swapUpdate
    /// A payer asks for a BOLT12 invoice.
    case invoiceRequest
    case walletConnectEvent

    package enum Answer: Sendable {
        /// When the provider has taken the push: the sender waits for the device next, somewhere else.
        case afterPush
        /// When the push is durable.
        case onceDurable
        /// With the device's reply.
        case withReply
    }

    package var answer: Answer {
        switch self {
        case .payInfo, .payInvoice, .payVerify: .afterPush
        case .invoiceRequest: .withReply
        case .paymentReceived, .transactionConfirmed, .addressTransactionsConfirmed, .swapUpdate, .walletConnectEvent:
            .onceDurable
        }
    }

    /// For how long the push is useful, in seconds: as long as somebody waits, or a day.
    package var lifetime: UInt64 {
        switch answer {
        case .afterPush: 30
        case .withReply: 60
        case .onceDurable: 86_400
        }
    }

    /// The member that holds the name, and the name.
    var name: (member: String, value: String) {
        switch self {
        case .swapUpdate: ("event", "swap.update")
        case .invoiceRequest: ("event", "invoice.request")
        default: ("template", type)
        }
    }

    package var type: String {
        switch self {
        case .paymentReceived: "payment_received"
        case .transactionConfirmed: "tx_confirmed"
        case .addressTransactionsConfirmed: "address_txs_confirmed"
        case .payInfo: "lnurlpay_info"
        case .payInvoice: "lnurlpay_invoice"
        case .payVerify: "lnurlpay_verify"
        case .swapUpdate: "swap_updated"
        case .invoiceRequest: "invoice_request"
        case .walletConnectEvent: "nwc_event"
        }
    }

    package var title: String {
        switch self {
        case .paymentReceived: "Incoming payment"
        case .transactionConfirmed: "Transaction confirmed"
        case .addressTransactionsConfirmed: "Address transactions confirmed"
        case .payInfo: "Receiving payment"
        case .payInvoice: "Invoice requested"
        case .payVerify: "Verify payment"
        case .swapUpdate: "Swap updated"
        case .invoiceRequest: "Invoice request"
        case .walletConnectEvent: "NWC Event Received"
        }
    }

    /// Whether a later notification about the same thing makes an earlier one needless.
    package var replacesEarlier: Bool { self == .swapUpdate }

    /// The member whose value tells one thing from another: a message about the same thing replaces an undelivered one.
    package var subject: String? {
        switch self {
        case .paymentReceived: "payment_hash"
        case .transactionConfirmed: "tx_id"
        case .addressTransactionsConfirmed: "address"
        case .swapUpdate: "id"
        case .payInfo, .payInvoice, .payVerify, .invoiceRequest, .walletConnectEvent: nil
        }
    }
}
