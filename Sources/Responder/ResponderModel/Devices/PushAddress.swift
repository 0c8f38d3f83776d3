package import LightningCoding
import LightningCrypto

package enum PushAddress: Hashable, Sendable {
    /// Apple's service: a token of 64 to 200 lower-case hexadecimal digits, good in one environment.
    case apns(token: String, PushEnvironment)
    /// Google's service: a registration token.
    case fcm(token: String)
    /// Web Push or UnifiedPush: an endpoint, and the keys that a message is encrypted for.
    case webPush(WebPushSubscription)

    /// Reads what an app sends of its platform; nil when it is invalid.
    ///
    /// - Parameters:
    ///   - platform: `apns`, `fcm` or `webpush`.
    ///   - environment: `production` or `sandbox`; only APNs has the latter.
    ///   - token: for Web Push `<endpoint> <p256dh> <auth>`, the keys in base64url.
    package init?(platform: String, environment: String, token: String) {
        guard let environment = PushEnvironment(exactly: environment) else { return nil }
        switch (platform, environment) {
        case ("apns", _):
            guard (64...200).contains(token.utf8.count), let bytes = try? Hexadecimal.decode(token),
                token.isExactly(Hexadecimal.encode(bytes))
            else { return nil }
            self = .apns(token: token, environment)
        case ("fcm", .production):
            guard (1...Self.longestToken).contains(token.utf8.count),
                token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            self = .fcm(token: token)
        case ("webpush", .production):
            guard let subscription = WebPushSubscription(token) else { return nil }
            self = .webPush(subscription)
        default: return nil
        }
    }

    private static let longestToken = 4096

    /// `apns`, `fcm` or `webpush`.
    package var platform: String {
        switch self {
        case .apns: "apns"
        case .fcm: "fcm"
        case .webPush: "webpush"
        }
    }

    package var environment: PushEnvironment {
        if case .apns(_, let environment) = self { environment } else { .production }
    }

    /// As an app sends it.
    package var token: String {
        switch self {
        case .apns(let token, _), .fcm(let token): token
        case .webPush(let subscription): subscription.text
        }
    }

    /// What no two devices may share: SHA-256 of platform, environment, and token or endpoint.
    package var digest: [UInt8] {
        let token = if case .webPush(let subscription) = self { subscription.endpoint.text } else { token }
        return SHA256.hash("\(platform)\n\(environment.rawValue)\n\(token)".utf8)
    }
}

package enum PushEnvironment: String, CaseIterable, Hashable, Sendable {
    /// For apps from the store.
    case production
    /// For builds of developers.
    case sandbox
}

/// A subscription of Web Push (RFC 8030, RFC 8291).
package struct WebPushSubscription: Hashable, Sendable {
    /// Where messages are posted; an app gives it, so the address policy applies.
    package let endpoint: HTTPURL
    /// The public key of the subscription: an uncompressed point of P-256, 65 bytes.
    package let key: [UInt8]
    /// The authentication secret, 16 bytes.
    package let secret: [UInt8]

    /// The longest accepted endpoint, in bytes.
    private static let longestEndpoint = 1000

    /// Reads `<endpoint> <p256dh> <auth>`; nil when it is invalid.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= Self.longestEndpoint,
            let endpoint = try? HTTPURL(String(Substring(parts[0]))),
            let key = Self.decode(Substring(parts[1]), count: 65), key[0] == 4,
            let secret = Self.decode(Substring(parts[2]), count: 16)
        else { return nil }
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
    }

    package var text: String { "\(endpoint.text) \(Base64URL.encode(key)) \(Base64URL.encode(secret))" }

    private static func decode(_ text: Substring, count: Int) -> [UInt8]? {
        guard let bytes = try? Base64URL.decode(text), bytes.count == count else { return nil }
        return bytes
    }
}
