import LightningCoding
import LightningCrypto
package import ResponderModel

package enum PushTarget: Hashable, Sendable {
    /// An app on an Apple device. Without an environment, the production server is tried first.
    case apns(APNsToken, PushEnvironment?)
    /// An app that Google's service reaches, on either platform.
    case fcm(token: String, PushPlatform)
    /// A browser, or a phone with a UnifiedPush distributor.
    case webPush(PushSubscription)
}

extension PushTarget {
    /// Where a registered device is; nil when nothing can be sent to it: a token of FCM that cannot be one, a subscription whose
    /// endpoint is not https, or whose key is none.
    package init?(_ address: PushAddress) {
        switch address {
        case .apns(let token, let environment):
            guard let token = APNsToken(token) else { return nil }
            self = .apns(token, environment)
        case .fcm(let token):
            guard FCMToken.isPossible(token) else { return nil }
            self = .fcm(token: token, .android)
        case .webPush(let subscription):
            guard let key = try? P256PublicKey(subscription.key),
                let subscription = try? PushSubscription(
                    endpoint: subscription.endpoint, key: key, secret: subscription.secret)
            else { return nil }
            self = .webPush(subscription)
        }
    }
}

/// The platform of an app, as a webhook URL names it.
package enum PushPlatform: String, CaseIterable, Sendable {
    case ios
    case android
    /// A browser, or UnifiedPush.
    case web
}

/// A device token of APNs: hexadecimal, of no fixed length.
package struct APNsToken: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Reads 64 to 200 hexadecimal digits of either case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard (64...200).contains(text.utf8.count), let bytes = try? Hexadecimal.decode(text) else { return nil }
        self.text = Hexadecimal.encode(bytes)
    }

    package var description: String { text }
}

package enum FCMToken {
    /// Whether a text can be one: letters, digits and `- _ : .`, up to 4096 of them.
    package static func isPossible(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
