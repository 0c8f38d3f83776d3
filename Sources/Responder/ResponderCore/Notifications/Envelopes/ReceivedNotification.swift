package import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

package struct ReceivedNotification: Hashable, Sendable {
    package let type: NotificationType
    package let payload: JSONObject
    package let event: NotifiedEvent
    /// Where to post the answer, as received: not yet validated.
    package let replyURL: String?
    /// Data added by the app's own backend; passed through unread.
    package let appData: JSONValue?
    /// The sender's id of this message, the same when it is sent again; nil when there is none.
    package let messageID: String?
    package let envelope: Envelope

    package enum Envelope: String, CaseIterable, Hashable, Sendable {
        /// A webhook's `{"template":…,"data":…}`.
        case template
        /// A webhook's `{"event":…,"data":…}`.
        case event
        /// A push message's `{"notification_type":…,"notification_payload":…}`, alone or inside `body`.
        case push
        /// A push message whose `aps.alert.payload` is encrypted.
        case encrypted
    }
}

package enum NotifiedEvent: Hashable, Sendable {
    /// A payer requests the limits and metadata. The answer contains this callback, unchanged.
    case payInfo(callback: String)
    /// A payer requests an invoice, whose amount is not yet checked against any limits.
    case payInvoice(CallbackQuery, verify: VerifyTemplate?)
    /// A payer asks whether an invoice has been paid; the payment hash is unvalidated text.
    case payVerify(paymentHash: String)
    /// A payer requests a BOLT12 invoice: the request's TLV stream, and the text of the offer when the sender knows it.
    case invoiceRequest([UInt8], offer: String?)
    /// The account's node is to act on it.
    case backend(BackendEvent)
    /// A payment is pending or received.
    case paymentReceived(PaymentHash)
    /// Nothing to do but show a text for the notification's type.
    case announcement
    case undecipherable(DecipherFault)
    /// A custom or unknown type.
    case other
}

/// Where payers ask whether an invoice is paid that is yet to be made (LUD-21), with `{payment_hash}` for its hash.
package struct VerifyTemplate: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The URL of a payment: the text with its hash in lower-case hexadecimal.
    package func url(of paymentHash: PaymentHash) -> String {
        let mark = Array("{payment_hash}".utf8)
        var url: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            let isMark = rest.starts(with: mark)
            if isMark { url += paymentHash.hexadecimal.utf8 } else { url.append(byte) }
            rest = rest.dropFirst(isMark ? mark.count : 1)
        }
        return String(decoding: url, as: UTF8.self)
    }
}

extension NotifiedEvent {
    /// Reads the payload of a type; payloads of unknown types are not inspected.
    init(_ type: NotificationType, _ payload: MemberReader) throws(MemberFault) {
        switch type {
        case .payInfo: self = .payInfo(callback: try payload.text("callback_url"))
        case .payInvoice: self = try Self.invoice(payload)
        case .payVerify: self = .payVerify(paymentHash: try payload.text("payment_hash"))
        case .invoiceRequest: self = try Self.request(payload)
        case .swapUpdated:
            self = .backend(
                .swapUpdated(
                    id: try payload.text("id", maximum: Self.maximumID),
                    SwapStatus(try payload.text("status", maximum: Self.maximumID))))
        case .paymentReceived: self = .paymentReceived(try Self.paymentHash(payload))
        case .addressTransactionsConfirmed:
            self = .backend(
                .addressTransactionsConfirmed(address: try payload.text("address", maximum: Self.maximumID)))
        case .transactionConfirmed:
            self = .backend(.transactionConfirmed(id: try payload.text("tx_id", maximum: Self.maximumID)))
        case .incomingHTLC, .channelPaymentArrived, .orderPaymentConfirmed, .mutualClose: self = .announcement
        default: self = .other
        }
    }

    /// The longest id, address or status, in bytes.
    static let maximumID = 128
    /// The longest invoice request, in digits: a Lightning message has 65,535 bytes.
    static let maximumRequest = 2 * 65_535

    /// The reply URL of an event. Mandatory in LNURL requests, where the payer waits for the reply.
    static func replyURL(_ type: NotificationType, _ payload: MemberReader) throws(MemberFault) -> String? {
        switch type {
        case .payInfo, .payInvoice, .payVerify: try payload.text("reply_url")
        case .invoiceRequest: try payload.optionalText("reply_url").flatMap { $0.isEmpty ? nil : $0 }
        // A handler reads the rest of custom types.
        default: payload.value("reply_url")?.string.flatMap { $0.utf8.count <= MemberReader.maximumText ? $0 : nil }
        }
    }

    private static func invoice(_ payload: MemberReader) throws(MemberFault) -> NotifiedEvent {
        let query = CallbackQuery(
            amount: Millisatoshi(try payload.unsigned("amount")),
            comment: try payload.optionalText("comment", maximum: maximumComment),
            nostr: try payload.optionalText("nostr", maximum: maximumComment))
        let template = try payload.optionalText("verify_url").flatMap { $0.isEmpty ? nil : VerifyTemplate($0) }
        return .payInvoice(query, verify: template)
    }

    /// The longest comment or zap request accepted here, in bytes; the account's own limit is checked later.
    private static let maximumComment = 1 << 17

    /// Webhooks write `invoiceRequest`, push messages `invoice_request`.
    private static func request(_ payload: MemberReader) throws(MemberFault) -> NotifiedEvent {
        let name = payload.value("invoiceRequest") == nil ? "invoice_request" : "invoiceRequest"
        return .invoiceRequest(
            try payload.hexadecimal(name, maximum: maximumRequest),
            offer: try payload.optionalText("offer", maximum: 1 << 17)
        )
    }

    private static func paymentHash(_ payload: MemberReader) throws(MemberFault) -> PaymentHash {
        do {
            return try PaymentHash(payload.hexadecimal("payment_hash"))
        } catch let fault as MemberFault {
            throw fault
        } catch {
            throw payload.fault("payment_hash", .notHexadecimal)
        }
    }
}

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
