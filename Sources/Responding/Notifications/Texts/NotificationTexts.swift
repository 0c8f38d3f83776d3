/// The words for people, by key: English, unless an app brings its own.
public struct NotificationTexts: Hashable, Sendable {
    /// What can be said. The raw values are the keys of an app's table of strings.
    public enum Key: String, CaseIterable, Hashable, Sendable {
        case invoiceRequestTitle = "invoice_request_notification_title"
        case invoiceRequestFailureTitle = "invoice_request_notification_failure_title"
        case payInfoTitle = "lnurl_pay_info_notification_title"
        case payInvoiceTitle = "lnurl_pay_invoice_notification_title"
        case payFailureTitle = "lnurl_pay_notification_failure_title"
        case payVerifyTitle = "lnurl_pay_verify_notification_title"
        case payVerifyFailureTitle = "lnurl_pay_verify_notification_failure_title"
        case paymentReceivedTitle = "payment_received_notification_title"
        case paymentPendingTitle = "swap_confirmed_notification_failure_title"
        case paymentPendingBody = "swap_confirmed_notification_failure_text"
        case feeAcceptanceTitle = "payment_waiting_fee_acceptance_notification_title"
        case feeAcceptanceBody = "payment_waiting_fee_acceptance_text"
        case addressConfirmedTitle = "address_txs_confirmed_notification_title"
        case transactionConfirmedTitle = "tx_confirmed_notification_title"
        case incomingHTLCTitle = "incoming_htlc_notification_title"
        case incomingHTLCBody = "incoming_htlc_notification_text"
        case channelPaymentArrivedTitle = "cjit_payment_arrived_notification_title"
        case channelPaymentArrivedBody = "cjit_payment_arrived_notification_text"
        case orderPaymentConfirmedTitle = "order_payment_confirmed_notification_title"
        case orderPaymentConfirmedBody = "order_payment_confirmed_notification_text"
        case mutualCloseTitle = "mutual_close_notification_title"
        case mutualCloseBody = "mutual_close_notification_text"
        case undecipherableTitle = "undecipherable_notification_title"
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
