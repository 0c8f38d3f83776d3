import LightningCoding
import Platform
import ResponderModel
import Waiting
@testable import ResponderCore

/// A fixture for notifications.
struct NotificationFixture {
    let fixture: Fixture
    let clock = ManualClock()

    init(_ change: (inout AccountSettings) -> Void = { _ in }) async throws {
        fixture = try await Fixture()
        try await fixture.putAlice(change)
    }

    func notified(
        in front: (any ReceiveBackend)? = nil,
        infoMaxAge: UInt64 = 60,
        maximumOpenInvoices: UInt64? = nil,
        handlers: [NotificationType: NotificationHandler] = [:],
        asksNode: Bool = false
    ) async throws -> NotificationResponder {
        let responder = try await fixture.responder(
            in: front, maximumOpenInvoices: maximumOpenInvoices, asksNode: asksNode)
        return NotificationResponder(
            responder, infoMaxAge: infoMaxAge, handlers: handlers, clock: clock.clock)
    }

    /// Reads a notification and handles it within 20 seconds.
    func handle(
        _ text: String, by responder: NotificationResponder? = nil, for name: String = "alice"
    ) async throws -> NotificationResult {
        let notification = try NotificationReader().read(Array(text.utf8))
        let responder = if let responder { responder } else { try await notified() }
        return await responder.handle(
            notification, for: try AccountID("\(name)@pay.example.com"), until: clock.now + .seconds(20))
    }

    static func info(callback: String = "https://ln.example/cb", reply: String = "https://ln.example/r/1") -> String {
        #"{"template":"lnurlpay_info","data":{"callback_url":"\#(callback)","reply_url":"\#(reply)"}}"#
    }

    static func invoice(_ amount: String, reply: String = "https://ln.example/r/1", more: String = "") -> String {
        #"{"template":"lnurlpay_invoice","data":{"amount":\#(amount),"reply_url":"\#(reply)"\#(more)}}"#
    }

    static func verify(_ hash: String) -> String {
        #"{"template":"lnurlpay_verify","data":{"payment_hash":"\#(hash)","reply_url":"https://ln.example/r/1"}}"#
    }
}

extension NotificationResult {
    var text: NotificationText? { NotificationTexts().text(of: self) }

    var failureText: NotificationText? { NotificationTexts().failureText(of: self) }

    var text8: String? { reply.map { String(decoding: $0.body, as: UTF8.self) } }

    var json: JSONValue { get throws { try JSONValue(parsing: reply?.body ?? []) } }

    var silence: Silence? {
        if case .none(let silence) = answer { silence } else { nil }
    }
}
