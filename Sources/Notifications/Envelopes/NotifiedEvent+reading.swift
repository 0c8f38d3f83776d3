import LightningCoding
import LightningCrypto
import Contracts

extension NotifiedEvent {
    /// Reads the payload of a type; payloads of unknown types are not inspected.
    init(_ type: NotificationType, _ payload: MemberReader) throws(MemberFault) {
        switch type {
        case .payInfo: self = .payInfo(callback: try payload.text("callback_url"))
        case .payInvoice: self = .payInvoice(try Self.parameters(payload))
        case .payVerify: self = .payVerify(paymentHash: try payload.text("payment_hash"))
        case .invoiceRequest: self = try Self.request(payload)
        case .swapUpdated:
            self = .swapUpdated(
                id: try payload.text("id", maximum: Self.maximumID),
                SwapStatus(try payload.text("status", maximum: Self.maximumID))
            )
        case .paymentReceived: self = .paymentReceived(try Self.paymentHash(payload))
        case .addressTransactionsConfirmed:
            self = .addressTransactionsConfirmed(address: try payload.text("address", maximum: Self.maximumID))
        case .transactionConfirmed:
            self = .transactionConfirmed(id: try payload.text("tx_id", maximum: Self.maximumID))
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

    private static func parameters(_ payload: MemberReader) throws(MemberFault) -> NotifiedEvent.InvoiceParameters {
        NotifiedEvent.InvoiceParameters(
            amount: Millisatoshi(try payload.unsigned("amount")),
            comment: try payload.optionalText("comment", maximum: maximumComment),
            verifyTemplate: try payload.optionalText("verify_url")
        )
    }

    /// The longest comment accepted here, in bytes; the account's own limit is checked later.
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
