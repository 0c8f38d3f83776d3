import ResponderModel
import Devices
import LightningCoding
import LightningCrypto
import Platform

/// Values that several tests use.
enum PushFixture {
    static let now = UnixTime(1_700_000_000)

    static func content(
        _ type: String = "lnurlpay_invoice", _ payload: JSONObject, appData: String? = nil
    ) -> PushContent {
        PushContent(type: type, title: "Invoice requested", payload: payload, appData: appData)
    }

    static func message(
        _ payload: JSONObject = ["reply_url": "https://a/r/1"], _ priority: PushPriority = .reply,
        collapseID: CollapseID? = nil
    ) -> PushMessage {
        PushMessage(
            content("lnurlpay_invoice", payload), priority, expires: now.adding(seconds: 30), collapseID: collapseID)
    }

    static func key() throws -> P256SecretKey {
        try P256SecretKey([UInt8](repeating: 0x42, count: 32))
    }

    static func subscription(_ endpoint: String = "https://push.example.net/x") throws -> PushSubscription {
        try PushSubscription(
            endpoint: HTTPURL(endpoint), key: key().publicKey, secret: [UInt8](repeating: 7, count: 16))
    }
}

/// Moments of a clock that tests advance.
func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(sinceStart: .seconds(seconds)) }
