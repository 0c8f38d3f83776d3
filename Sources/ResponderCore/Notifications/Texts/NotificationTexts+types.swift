public import LightningCoding
import Contracts

extension NotificationTexts {
    /// What is shown once the answer to an event of that type was taken, or what there was to do has been done; nil for types
    /// about which nothing can be said.
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

    /// What is shown when an event of that type was not answered, or its answer was not taken.
    public func failure(of type: NotificationType) -> NotificationText? {
        switch type {
        case .payInfo, .payInvoice: passing(.payFailureTitle)
        case .payVerify: passing(.payVerifyFailureTitle)
        case .invoiceRequest: passing(.invoiceRequestFailureTitle)
        default: success(of: type)
        }
    }

    /// Money has arrived. Parts of a satoshi are left out.
    public func received(_ amount: Millisatoshi) -> NotificationText {
        NotificationText(title: self[.paymentReceivedTitle, amount.msat / 1000], lifetime: .dismissible)
    }

    /// Money is not there yet.
    public var pending: NotificationText { lasting(.paymentPendingTitle, .paymentPendingBody) }

    /// Something that is encrypted, and stays so, has happened.
    public var undecipherable: NotificationText { lasting(.undecipherableTitle, .undecipherableBody) }

    /// A swap has not brought its money yet.
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
