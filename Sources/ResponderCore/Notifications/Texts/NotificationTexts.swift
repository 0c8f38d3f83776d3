/// The words for people, by key: English, unless an app brings its own.
public struct NotificationTexts: Hashable, Sendable {
    /// What can be said. The raw values are the keys of an app's table of strings.
    public enum Key: String, CaseIterable, Hashable, Sendable {
        /// An invoice request was answered.
        case invoiceRequestTitle = "invoice_request_notification_title"
        /// An invoice request was not answered.
        case invoiceRequestFailureTitle = "invoice_request_notification_failure_title"
        /// A payer was told what may be paid.
        case payInfoTitle = "lnurl_pay_info_notification_title"
        /// A payer got an invoice.
        case payInvoiceTitle = "lnurl_pay_invoice_notification_title"
        /// A payer got no invoice.
        case payFailureTitle = "lnurl_pay_notification_failure_title"
        /// A payer was told whether an invoice is paid.
        case payVerifyTitle = "lnurl_pay_verify_notification_title"
        /// A payer was not told whether an invoice is paid.
        case payVerifyFailureTitle = "lnurl_pay_verify_notification_failure_title"
        /// A payment came.
        case paymentReceivedTitle = "payment_received_notification_title"
        /// A payment is on its way.
        case paymentPendingTitle = "swap_confirmed_notification_failure_title"
        /// What to do so that the payment arrives.
        case paymentPendingBody = "swap_confirmed_notification_failure_text"
        /// A payment waits until its fee is accepted.
        case feeAcceptanceTitle = "payment_waiting_fee_acceptance_notification_title"
        /// What to do to accept the fee.
        case feeAcceptanceBody = "payment_waiting_fee_acceptance_text"
        /// Transactions to an address are in a block.
        case addressConfirmedTitle = "address_txs_confirmed_notification_title"
        /// A transaction is in a block.
        case transactionConfirmedTitle = "tx_confirmed_notification_title"
        /// A payment waits for its receiver.
        case incomingHTLCTitle = "incoming_htlc_notification_title"
        /// What to do to receive the payment that waits.
        case incomingHTLCBody = "incoming_htlc_notification_text"
        /// A payment came for which a channel is opened.
        case channelPaymentArrivedTitle = "cjit_payment_arrived_notification_title"
        /// What to do so that the channel is opened.
        case channelPaymentArrivedBody = "cjit_payment_arrived_notification_text"
        /// The payment for an ordered channel is confirmed.
        case orderPaymentConfirmedTitle = "order_payment_confirmed_notification_title"
        /// What to do so that the ordered channel is opened.
        case orderPaymentConfirmedBody = "order_payment_confirmed_notification_text"
        /// A channel was closed.
        case mutualCloseTitle = "mutual_close_notification_title"
        /// What becomes of the money of the closed channel.
        case mutualCloseBody = "mutual_close_notification_text"
        /// Something came that cannot be opened.
        case undecipherableTitle = "undecipherable_notification_title"
        /// What to do to see what came.
        case undecipherableBody = "undecipherable_notification_text"

        /// In English. `%d` stands for a number of satoshis.
        public var english: String {
            switch self {
            case .invoiceRequestTitle, .payInvoiceTitle: "Fetching Invoice"
            case .invoiceRequestFailureTitle: "Invoice Request Failed"
            case .payInfoTitle: "Retrieving Payment Information"
            case .payFailureTitle: "Receive Payment Failed"
            case .payVerifyTitle: "Verifying Payment"
            case .payVerifyFailureTitle: "Payment Verification Failed"
            case .paymentReceivedTitle: "Received %d sats"
            case .paymentPendingTitle: "Payment Pending"
            case .paymentPendingBody: "Tap to complete payment"
            case .feeAcceptanceTitle: "Payment requires fee acceptance"
            case .feeAcceptanceBody: "Tap to review updated fees"
            case .addressConfirmedTitle: "Address transactions confirmed"
            case .transactionConfirmedTitle: "Transaction confirmed"
            case .incomingHTLCTitle, .channelPaymentArrivedTitle: "Payment Incoming"
            case .incomingHTLCBody: "Open now to receive - funds are being held"
            case .channelPaymentArrivedBody: "Open now to receive via new channel"
            case .orderPaymentConfirmedTitle: "Channel Ready"
            case .orderPaymentConfirmedBody: "Open the app to complete setup"
            case .mutualCloseTitle: "Channel Closed"
            case .mutualCloseBody: "Funds moved to savings"
            case .undecipherableTitle: "New Activity"
            case .undecipherableBody: "Open the app to see what has happened"
            }
        }
    }

    private let table: [Key: String]

    /// Texts with some words of one's own.
    ///
    /// - Parameter table: words by `Key.rawValue`. Other keys are passed over; so are words that are empty, or that lack the
    ///   `%d` of the English ones.
    public init(_ table: [String: String] = [:]) {
        var kept: [Key: String] = [:]
        for key in Key.allCases {
            guard let words = table[key.rawValue], !words.isEmpty else { continue }
            if key.english.contains(Self.number), !words.contains(Self.number) { continue }
            kept[key] = words
        }
        self.table = kept
    }

    private static let number = "%d"

    /// The words of a key.
    public subscript(_ key: Key) -> String { table[key] ?? key.english }

    /// The words of a key, with a number for `%d`.
    public subscript(_ key: Key, number: UInt64) -> String {
        self[key].split(separator: Self.number, omittingEmptySubsequences: false).joined(separator: String(number))
    }
}
