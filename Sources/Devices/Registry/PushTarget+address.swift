public import Contracts
import LightningCrypto
public import Push

extension PushTarget {
    /// Where a registered device is; nil when nothing can be sent to it: a token of FCM that cannot be one, a subscription whose
    /// endpoint is not https, or whose key is none.
    public init?(_ address: PushAddress) {
        switch address {
        case .apns(let token, let environment):
            guard let token = APNsToken(token) else { return nil }
            self = .apns(token, environment == .sandbox ? .sandbox : .production)
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
