public import LightningCoding
import Contracts

extension NotificationTexts {
    /// Shown when the answer to an event of that type was accepted or its work is done; nil for types without a text.
    public func success(of type: NotificationType) -> NotificationText? {
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
    public func failure(of type: NotificationType) -> NotificationText? {
        switch type {
        case .payInfo, .payInvoice: passing(.payFailureTitle)
        case .payVerify: passing(.payVerifyFailureTitle)
        case .invoiceRequest: passing(.invoiceRequestFailureTitle)
        default: success(of: type)
        }
    }

    /// A payment was received. Fractions of a satoshi are dropped.
    public func received(_ amount: Millisatoshi) -> NotificationText {
        NotificationText(title: self[.paymentReceivedTitle, amount.msat / 1000], lifetime: .dismissible)
    }

    /// A payment is pending.
    public var pending: NotificationText { lasting(.paymentPendingTitle, .paymentPendingBody) }

    /// Something that cannot be decrypted.
    public var undecipherable: NotificationText { lasting(.undecipherableTitle, .undecipherableBody) }

    /// A swap that has not completed.
    func unfinished(_ status: SwapStatus) -> NotificationText {
        status.outlook == .needsDecision ? lasting(.feeAcceptanceTitle, .feeAcceptanceBody) : pending
    }

    private func passing(_ title: Key) -> NotificationText {
        NotificationText(title: self[title], lifetime: .replaceable)
    }

    private func lasting(_ title: Key, _ body: Key? = nil) -> NotificationText {
        NotificationText(title: self[title], body: body.map { self[$0] }, lifetime: .dismissible)
    }
}
