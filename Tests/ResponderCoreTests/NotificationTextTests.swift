import LightningCoding
import Testing
@testable import ResponderCore

@Suite("Texts for the user", .timeLimit(.minutes(5)))
struct NotificationTextTests {
    @Test("are the app's own where it supplies some, by key")
    func own() {
        let texts = NotificationTexts([
            "lnurl_pay_info_notification_title": "Zahlung wird vorbereitet",
            "payment_received_notification_title": "%d sats erhalten", "unknown_key": "x",
        ])
        #expect(texts.success(of: .payInfo)?.title == "Zahlung wird vorbereitet")
        #expect(texts.text(of: .received(.init(1_234_999))).title == "1234 sats erhalten")
        #expect(texts.success(of: .payInvoice)?.title == "Fetching Invoice")
    }

    @Test("that lack the number or are empty are ignored")
    func unusable() {
        let texts = NotificationTexts([
            "payment_received_notification_title": "Received sats", "lnurl_pay_info_notification_title": "",
        ])
        #expect(texts.text(of: .received(.init(1000))).title == "Received 1 sats")
        #expect(texts.success(of: .payInfo)?.title == "Retrieving Payment Information")
    }

    @Test("exist for every known type, and for no other")
    func everyType() {
        let known: [NotificationType] = [
            .payInfo, .payInvoice, .payVerify, .invoiceRequest, .swapUpdated, .paymentReceived,
            .addressTransactionsConfirmed, .transactionConfirmed, .incomingHTLC, .channelPaymentArrived,
            .orderPaymentConfirmed, .mutualClose, .undecipherable,
        ]
        let texts = NotificationTexts()
        for type in known { #expect(texts.success(of: type) != nil && texts.failure(of: type) != nil) }
        #expect(texts.success(of: NotificationType(rawValue: "own")) == nil)
    }
}
