package import LightningCoding
package import LightningCrypto

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

    /// Creates a subscription. Throws ``SubscriptionFault``.
    package init(endpoint: HTTPURL, key: P256PublicKey, secret: [UInt8]) throws(SubscriptionFault) {
        guard endpoint.scheme == .https || endpoint.isLoopback, endpoint.text.utf8.count <= Self.maximumEndpoint else {
            throw .endpoint
        }
        guard secret.count == 16 else { throw .secret }
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
    }

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
    /// It is not JSON.
    case notJSON
    /// The endpoint is missing, not an https URL, or too long.
    case endpoint
    /// The key is missing, or not a point of P-256.
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
