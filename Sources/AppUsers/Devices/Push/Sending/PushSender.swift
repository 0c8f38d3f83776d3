package import LightningCoding

package struct PushSender: Sendable {
    private let apns: APNsProvider?
    private let fcm: FCMProvider?
    private let webPush: WebPushProvider?

    package init(apns: APNsProvider?, fcm: FCMProvider?, webPush: WebPushProvider?) {
        self.apns = apns
        self.fcm = fcm
        self.webPush = webPush
    }

    /// The public key of this server that apps need for a subscription of Web Push; nil without one.
    package var vapidKey: String? { webPush?.publicKey }

    /// The target of a token in a webhook's URL; nil when no provider takes it.
    ///
    /// A token of an iOS app is one of APNs when it is hexadecimal, else one of FCM, which passes messages on to APNs.
    package func target(_ platform: PushPlatform, token: String) -> PushTarget? {
        switch platform {
        case .ios:
            if apns != nil, let token = APNsToken(token) { return .apns(token, nil) }
            return fcm != nil && FCMToken.isPossible(token) ? .fcm(token: token, .ios) : nil
        case .android: return fcm != nil && FCMToken.isPossible(token) ? .fcm(token: token, .android) : nil
        case .web: return webPush.flatMap { _ in try? .webPush(PushSubscription(token: token)) }
        }
    }

    package func reaches(_ platform: PushPlatform) -> Bool {
        switch platform {
        case .ios: apns != nil || fcm != nil
        case .android: fcm != nil
        case .web: webPush != nil
        }
    }

    /// Sends a message if it fits.
    ///
    /// - Parameters:
    ///   - message: the message; what does not fit is left out, see ``PushContent/fitted(_:)``.
    ///   - target: the device.
    ///   - registeredAt: when the device was registered; nil when nobody knows.
    package func send(_ message: PushMessage, to target: PushTarget, registeredAt: UnixTime? = nil) async -> PushOutcome
    {
        guard let message = message.fitted(for: target) else { return .tooLarge }
        switch target {
        case .apns(let token, let environment):
            return await apns?.send(message, to: token, environment, registeredAt: registeredAt)
                ?? .refused("APNs is not configured")
        case .fcm(let token, let platform):
            return await fcm?.send(message, to: token, platform) ?? .refused("FCM is not configured")
        case .webPush(let subscription):
            return await webPush?.send(message, to: subscription, registeredAt: registeredAt)
                ?? .refused("Web Push is not configured")
        }
    }
}
