package import ResponderModel
package import LightningCoding
package import LightningCrypto
package import OutboundHTTP

/// Messages over Web Push (RFC 8030).
package enum WebPush {
    /// The request that sends a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - subscription: its receiver.
    ///   - authorization: see ``VAPIDKey/authorization(for:issuedAt:)``; nil without a key.
    ///   - now: from when the message's lifetime counts.
    ///   - timeout: how long the push service may take.
    ///   - random: draws key and salt.
    /// - Throws: ``WebPushFault``.
    package static func request(
        _ message: PushMessage, to subscription: PushSubscription, authorization: String?, at now: UnixTime,
        timeout: Duration, random: RandomSource = SystemRandom.bytes
    ) throws(WebPushFault) -> HTTPRequest {
        let body = try rethrowing(
            WebPushEncryption.seal(message.form.webPlaintext, for: subscription, random: random),
            as: WebPushFault.encryption)
        let fields = try rethrowing(fields(of: message, authorization, at: now), as: WebPushFault.field)
        return HTTPRequest(.post, subscription.endpoint, headers: fields, body: body, timeout: timeout)
    }

    private static func fields(
        of message: PushMessage, _ authorization: String?, at now: UnixTime
    ) throws(HTTPFieldFault) -> [HTTPField] {
        let lifetime = min(message.expires.seconds(since: now), longestLifetime)
        let urgency =
            switch message.priority {
            case .catchUp: "normal"
            case .reply, .alert: message.form.isUrgent ? "high" : "normal"
            }
        var fields = [
            try HTTPField("TTL", String(lifetime)), try HTTPField("Urgency", urgency),
            try HTTPField("Content-Encoding", "aes128gcm"), try HTTPField("Content-Type", "application/octet-stream"),
        ]
        if let id = message.collapseID { fields.append(try HTTPField("Topic", topic(id))) }
        if let authorization { fields.append(try HTTPField("Authorization", authorization, isSecret: true)) }
        return fields
    }

    /// A topic has at most 32 characters of base64url, which are 24 bytes.
    private static func topic(_ id: CollapseID) -> String {
        Base64URL.encode(SHA256.hash(Array(id.text.utf8)).prefix(24))
    }

    /// The longest lifetime that services keep messages for: 30 days, in seconds.
    static let longestLifetime: UInt64 = 2_592_000

    /// What a push service's answer means. Only what concerns this receiver follows from it: the service is chosen by the app.
    package static func verdict(status: Int, retryAfter: String?, location: String?) -> PushVerdict {
        switch status {
        case 200, 201, 202, 204: .accepted(id: location)
        case 404, 410: .gone(since: nil)
        case 401, 403: .unauthorized("status \(status)")
        case 413: .tooLarge
        case 429: .deviceBusy(retryAfter: RetryAfter.seconds(retryAfter))
        case 500...: .unavailable("status \(status)", retryAfter: RetryAfter.seconds(retryAfter))
        default: .refused("status \(status)")
        }
    }

    /// The same, of a response.
    package static func verdict(_ response: HTTPResponse) -> PushVerdict {
        verdict(
            status: response.status, retryAfter: response.headers.first(named: "retry-after"),
            location: response.headers.first(named: "location"))
    }
}

/// Why no request can be made of a message.
package enum WebPushFault: Error, Hashable, Sendable {
    /// It cannot be encrypted: `invalidLength` when it is too large.
    case encryption(CryptoFault)
    /// The token does not fit into a header field.
    case field(HTTPFieldFault)
}
