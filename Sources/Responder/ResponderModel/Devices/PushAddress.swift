package import LightningCoding
package import LightningCrypto

/// Where a provider delivers to a device: one that is registered, or whoever has a token that a webhook names.
package enum PushAddress: Hashable, Sendable {
    /// An app on an Apple device. Without an environment, which registered devices have, the production server is tried first.
    case apns(APNsToken, PushEnvironment?)
    /// An app that Google's service reaches, on either platform; a registered one is on Android.
    case fcm(token: String, PushPlatform)
    /// A browser, or a phone with a UnifiedPush distributor.
    case webPush(PushSubscription)

    /// Reads what an app sends of its platform; nil when it is invalid.
    ///
    /// - Parameters:
    ///   - platform: `apns`, `fcm` or `webpush`.
    ///   - environment: `production` or `sandbox`; only APNs has the latter.
    ///   - token: for APNs in lower case; for Web Push `<endpoint> <p256dh> <auth>`, the keys in base64url.
    package init?(platform: String, environment: String, token: String) {
        guard let environment = PushEnvironment(exactly: environment) else { return nil }
        switch (platform, environment) {
        case ("apns", _):
            guard let apns = APNsToken(token), token.isExactly(apns.text) else { return nil }
            self = .apns(apns, environment)
        case ("fcm", .production):
            guard Self.isFCMToken(token) else { return nil }
            self = .fcm(token: token, .android)
        case ("webpush", .production):
            guard let subscription = PushSubscription(token) else { return nil }
            self = .webPush(subscription)
        default: return nil
        }
    }

    /// Whether a text can be a token of FCM: letters, digits and `- _ : .`, up to 4096 of them.
    package static func isFCMToken(_ text: String) -> Bool {
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

    /// `apns`, `fcm` or `webpush`.
    package var platform: String {
        switch self {
        case .apns: "apns"
        case .fcm: "fcm"
        case .webPush: "webpush"
        }
    }

    package var environment: PushEnvironment {
        if case .apns(_, let environment?) = self { environment } else { .production }
    }

    /// As an app sends it.
    package var token: String {
        switch self {
        case .apns(let token, _): token.text
        case .fcm(let token, _): token
        case .webPush(let subscription): subscription.text
        }
    }

    /// What no two devices may share: SHA-256 of platform, environment, and token or endpoint.
    package var digest: [UInt8] {
        let token = if case .webPush(let subscription) = self { subscription.endpoint.text } else { token }
        return SHA256.hash("\(platform)\n\(environment.rawValue)\n\(token)".utf8)
    }
}

/// The platform of an app, as a webhook URL names it.
package enum PushPlatform: String, CaseIterable, Sendable {
    case ios
    case android
    /// A browser, or UnifiedPush.
    case web
}

package enum PushEnvironment: String, CaseIterable, Hashable, Sendable {
    /// For apps from the store.
    case production
    /// For builds of developers.
    case sandbox
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

/// Where and how a browser or a UnifiedPush distributor takes messages.
///
/// Source: RFC 8030; RFC 8291; UnifiedPush, Android specification (AND_3).
package struct PushSubscription: Hashable, Sendable {
    /// Where messages are posted. It is chosen by the app: the address policy of clients must keep it off internal networks.
    package let endpoint: HTTPURL
    package let key: P256PublicKey
    /// The secret shared with the app, 16 bytes.
    package let secret: [UInt8]

    /// The longest accepted endpoint, in bytes.
    package static let maximumEndpoint = 1000

    package init(endpoint: HTTPURL, key: P256PublicKey, secret: [UInt8]) throws(SubscriptionFault) {
        guard endpoint.scheme == .https || endpoint.isLoopback, endpoint.text.utf8.count <= Self.maximumEndpoint else {
            throw .endpoint
        }
        guard secret.count == 16 else { throw .secret }
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
    }

    /// Reads `<endpoint> <p256dh> <auth>`, as an app registers it; nil when it is invalid.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= Self.maximumEndpoint,
            let endpoint = try? HTTPURL(String(Substring(parts[0]))),
            let key = try? P256PublicKey(Base64URL.decode(Substring(parts[1]))),
            let secret = try? Base64URL.decode(Substring(parts[2]))
        else { return nil }
        try? self.init(endpoint: endpoint, key: key, secret: secret)
    }

    /// As an app registers it.
    package var text: String { "\(endpoint.text) \(Base64URL.encode(key.point)) \(Base64URL.encode(secret))" }

    /// Reads what a browser makes of its subscription: `{"endpoint":…,"keys":{"p256dh":…,"auth":…}}`.
    package init(_ json: JSONValue) throws(SubscriptionFault) {
        guard let text = json["endpoint"]?.string, let endpoint = try? HTTPURL(text) else { throw .endpoint }
        guard let point = json["keys"]?["p256dh"]?.string.flatMap({ try? Base64URL.decode($0) }),
            let key = try? P256PublicKey(point)
        else { throw .key }
        guard let secret = json["keys"]?["auth"]?.string.flatMap({ try? Base64URL.decode($0) }) else { throw .secret }
        try self.init(endpoint: endpoint, key: key, secret: secret)
    }

    /// Reads the same in base64url, as it stands in a webhook's URL.
    package init(token: String) throws(SubscriptionFault) {
        guard let bytes = try? Base64URL.decode(token), let json = try? JSONValue(parsing: bytes) else {
            throw .notJSON
        }
        try self.init(json)
    }
}

package enum SubscriptionFault: Error, Hashable, Sendable, ReadableFault {
    case notJSON
    case endpoint
    case key
    /// The secret is missing, or has not 16 bytes.
    case secret

    package var reason: String {
        switch self {
        case .notJSON: "the subscription must be JSON in base64url"
        case .endpoint: "endpoint must be an https URL of at most \(PushSubscription.maximumEndpoint) bytes"
        case .key: "keys.p256dh must be a point of P-256 in base64url"
        case .secret: "keys.auth must be 16 bytes in base64url"
        }
    }
}
