import LightningCoding
import ResponderModel

/// The user-visible texts, by key: English, unless an app supplies its own.
package struct NotificationTexts: Hashable, Sendable {
    /// The kinds of texts. The raw values are the keys of an app's string table.
    package enum Key: String, CaseIterable, Hashable, Sendable {
        case invoiceRequestTitle = "invoice_request_notification_title"
        case invoiceRequestFailureTitle = "invoice_request_notification_failure_title"
        case payInfoTitle = "lnurl_pay_info_notification_title"
        case payInvoiceTitle = "lnurl_pay_invoice_notification_title"
        case payFailureTitle = "lnurl_pay_notification_failure_title"
        case payVerifyTitle = "lnurl_pay_verify_notification_title"
        case payVerifyFailureTitle = "lnurl_pay_verify_notification_failure_title"
        case paymentReceivedTitle = "payment_received_notification_title"
        case paymentPendingTitle = "swap_confirmed_notification_failure_title"
        /// What to do so that the payment arrives.
        case paymentPendingBody = "swap_confirmed_notification_failure_text"
        /// A payment waits until its fee is accepted.
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

        /// The English text. `%d` is a number of satoshis.
        package var english: String {
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

    /// Creates texts, some of them customised.
    ///
    /// - Parameter table: texts by `Key.rawValue`. Ignored: unknown keys, empty texts, and texts without the `%d` of
    ///   the English one.
    package init(_ table: [String: String] = [:]) {
        var kept: [Key: String] = [:]
        for key in Key.allCases {
            guard let words = table[key.rawValue], !words.isEmpty else { continue }
            if key.english.contains(Self.number), !words.contains(Self.number) { continue }
            kept[key] = words
        }
        self.table = kept
    }

    private static let number = "%d"

    package subscript(_ key: Key) -> String { table[key] ?? key.english }

    /// The text of a key, with a number for `%d`.
    package subscript(_ key: Key, number: UInt64) -> String {
        self[key].split(separator: Self.number, omittingEmptySubsequences: false).joined(separator: String(number))
    }
}

package struct NotificationText: Hashable, Sendable {
    package let title: String
    /// The second line; nil for none.
    package let body: String?
    package let lifetime: Lifetime

    package enum Lifetime: String, CaseIterable, Hashable, Sendable {
        /// Until the next one replaces it.
        case replaceable
        case dismissible
    }

    package init(title: String, body: String? = nil, lifetime: Lifetime) {
        self.title = title
        self.body = body
        self.lifetime = lifetime
    }
}

extension NotificationTexts {
    /// Shown when the answer to an event of that type was accepted or its work is done; nil for types without a text.
    package func success(of type: NotificationType) -> NotificationText? {
        switch type {
        case .payInfo: passing(.payInfoTitle)
        case .payInvoice: passing(.payInvoiceTitle)
        case .payVerify: passing(.payVerifyTitle)
        case .invoiceRequest: passing(.invoiceRequestTitle)
        case .swapUpdated, .paymentReceived: pending
        case .addressTransactionsConfirmed: lasting(.addressConfirmedTitle)
        case .transactionConfirmed: lasting(.transactionConfirmedTitle)
        case .incomingHTLC: lasting(.incomingHTLCTitle, .incomingHTLCBody)
        case .channelPaymentArrived: lasting(.channelPaymentArrivedTitle, .channelPaymentArrivedBody)
        case .orderPaymentConfirmed: lasting(.orderPaymentConfirmedTitle, .orderPaymentConfirmedBody)
        case .mutualClose: lasting(.mutualCloseTitle, .mutualCloseBody)
        case .undecipherable: undecipherable
        default: nil
        }
    }

    /// Shown when an event of that type was not answered, or its answer was not accepted.
    package func failure(of type: NotificationType) -> NotificationText? {
        switch type {
        case .payInfo, .payInvoice: passing(.payFailureTitle)
        case .payVerify: passing(.payVerifyFailureTitle)
        case .invoiceRequest: passing(.invoiceRequestFailureTitle)
        default: success(of: type)
        }
    }

    /// The text for the user once the reply was accepted, or at once when there is none; nil leaves the shown text as
    /// it is. It tells a failure when the reply is an error or an expected reply is missing.
    package func text(of result: NotificationResult) -> NotificationText? {
        if let news = result.news { return text(of: news) }
        return switch result.answer {
        case .reply(let reply): reply.isError ? failure(of: result.type) : success(of: result.type)
        case .none(.notAsked): success(of: result.type)
        case .none(.unknownType): nil
        case .none: failure(of: result.type)
        }
    }

    /// The text for the user when the reply was not accepted.
    package func failureText(of result: NotificationResult) -> NotificationText? {
        result.news.map { text(of: $0) } ?? failure(of: result.type)
    }

    /// Fractions of a received satoshi are dropped.
    func text(of news: NotificationNews) -> NotificationText {
        switch news {
        case .received(let amount):
            NotificationText(title: self[.paymentReceivedTitle, amount.msat / 1000], lifetime: .dismissible)
        case .unfinished(let status): status.needsDecision ? lasting(.feeAcceptanceTitle, .feeAcceptanceBody) : pending
        case .undecipherable: undecipherable
        case .text(let text): text
        }
    }

    private var pending: NotificationText { lasting(.paymentPendingTitle, .paymentPendingBody) }

    private var undecipherable: NotificationText { lasting(.undecipherableTitle, .undecipherableBody) }

    private func passing(_ title: Key) -> NotificationText {
        NotificationText(title: self[title], lifetime: .replaceable)
    }

    private func lasting(_ title: Key, _ body: Key? = nil) -> NotificationText {
        NotificationText(title: self[title], body: body.map { self[$0] }, lifetime: .dismissible)
    }
}
