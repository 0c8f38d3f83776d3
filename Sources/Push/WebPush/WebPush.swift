public import LightningCoding
public import LightningCrypto
public import OutboundHTTP

/// Messages over Web Push (RFC 8030).
public enum WebPush {
    /// The request that sends a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - subscription: its receiver.
    ///   - authorization: see ``VAPIDKey/authorization(for:issuedAt:)``; nil without a key.
    ///   - now: from when the message's lifetime counts.
    ///   - timeout: how long the push service may take.
    ///   - random: draws key and salt.
    /// - Throws: `invalidLength` when the message is too large.
    public static func request(
        _ message: PushMessage, to subscription: PushSubscription, authorization: String?, at now: UnixTime,
        timeout: Duration, random: RandomSource = SystemRandom.bytes
    ) throws(CryptoFault) -> HTTPRequest {
        let body = try WebPushEncryption.seal(message.form.webPlaintext, for: subscription, random: random)
        var fields = [
            ("TTL", String(min(message.expires.seconds(since: now), longestLifetime))),
            ("Urgency", message.form.isUrgent && message.priority != .catchUp ? "high" : "normal"),
            ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
        ]
        if let id = message.collapseID { fields.append(("Topic", topic(id))) }
        if let authorization { fields.append(("Authorization", authorization)) }
        return HTTPRequest(
            .post, subscription.endpoint, headers: fields.compactMap { try? HTTPField($0.0, $0.1) }, body: body,
            timeout: timeout)
    }

    /// A topic has at most 32 characters of base64url, which are 24 bytes.
    private static func topic(_ id: CollapseID) -> String {
        Base64URL.encode(SHA256.hash(Array(id.text.utf8)).prefix(24))
    }

    /// The longest lifetime that services keep messages for: 30 days, in seconds.
    static let longestLifetime: UInt64 = 2_592_000

    /// What a push service's answer means. Only what concerns this receiver follows from it: the service is chosen by the app.
    public static func verdict(status: Int, retryAfter: String?, location: String?) -> PushVerdict {
        switch status {
        case 200, 201, 202, 204: .accepted(id: location)
        case 404, 410: .gone(since: nil)
        case 413: .tooLarge
        case 429: .deviceBusy(retryAfter: RetryAfter.seconds(retryAfter))
        case 500...: .unavailable("status \(status)", retryAfter: RetryAfter.seconds(retryAfter))
        default: .refused("status \(status)")
        }
    }

    /// The same, of a response.
    public static func verdict(_ response: HTTPResponse) -> PushVerdict {
        verdict(
            status: response.status, retryAfter: response.headers.first(named: "retry-after"),
            location: response.headers.first(named: "location"))
    }
}
