import LightningCoding

/// Where a push message goes.
public enum PushTarget: Hashable, Sendable {
    /// An app on an Apple device. Without an environment, the production server is tried first.
    case apns(APNsToken, APNsEnvironment?)
    /// An app that Google's service reaches, on either platform.
    case fcm(token: String, PushPlatform)
    /// A browser, or a phone with a UnifiedPush distributor.
    case webPush(PushSubscription)
}

/// The platform of an app, as a webhook URL names it.
public enum PushPlatform: String, CaseIterable, Sendable {
    /// iOS.
    case ios
    /// Android.
    case android
    /// A browser, or UnifiedPush.
    case web
}

/// A device token of APNs: hexadecimal, of no fixed length.
public struct APNsToken: Hashable, Sendable, CustomStringConvertible {
    /// Lower-case hexadecimal.
    public let text: String

    /// Reads 64 to 200 hexadecimal digits of either case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard (64...200).contains(text.utf8.count), let bytes = try? Hexadecimal.decode(text) else { return nil }
        self.text = Hexadecimal.encode(bytes)
    }

    /// The digits.
    public var description: String { text }
}

/// The two servers of APNs, with tokens of their own.
public enum APNsEnvironment: String, CaseIterable, Sendable {
    /// Apps from the store.
    case production
    /// Development builds.
    case sandbox

    /// The other one.
    public var other: APNsEnvironment { self == .production ? .sandbox : .production }
}
