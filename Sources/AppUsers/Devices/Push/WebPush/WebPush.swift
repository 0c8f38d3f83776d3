package import LightningCoding
package import LightningCrypto
package import OutboundHTTP
package import ResponderModel

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

/// Encryption of Web Push messages, content coding `aes128gcm` in one record (RFC 8291, RFC 8188).
package enum WebPushEncryption {
    /// The size of a record, and so of the largest message.
    static let recordSize = 4096
    /// Salt, record size, length of the key, key.
    static let headerCount = 16 + 4 + 1 + P256PublicKey.byteCount

    /// The body for a subscription: a header of 86 bytes, the ciphertext, a tag of 16.
    ///
    /// - Throws: `invalidLength` for a plaintext of more than 3993 bytes; `entropyUnavailable`.
    package static func seal(
        _ plaintext: [UInt8], for subscription: PushSubscription, random: RandomSource = SystemRandom.bytes
    ) throws(CryptoFault) -> [UInt8] {
        guard plaintext.count <= PushLimits.webPushPlaintext else {
            throw .invalidLength(expected: PushLimits.webPushPlaintext, found: plaintext.count)
        }
        let sender = try P256SecretKey(random: random)
        let salt = try random(16)
        let agreed = try sender.sharedSecret(with: subscription.key)
        let (key, nonce) = try keys(
            agreed, secret: subscription.secret, salt: salt, receiver: subscription.key, sender: sender.publicKey)
        // 2 ends the last record; padding could follow.
        let (ciphertext, tag) = try AES128GCM.seal(plaintext + [2], key: key, nonce: nonce)
        let size = withUnsafeBytes(of: UInt32(recordSize).bigEndian, Array.init)
        return salt + size + [UInt8(P256PublicKey.byteCount)] + sender.publicKey.point + ciphertext + tag
    }

    /// The plaintext of a body, as the app's side gets it. Throws `authenticationFailed` for anything else than one record.
    package static func open(_ body: [UInt8], key: P256SecretKey, secret: [UInt8]) throws(CryptoFault) -> [UInt8] {
        guard body.count > headerCount + 16, body.count <= recordSize, body[20] == P256PublicKey.byteCount else {
            throw .authenticationFailed
        }
        let sender = try P256PublicKey(body[21..<headerCount])
        let (contentKey, nonce) = try keys(
            key.sharedSecret(with: sender), secret: secret, salt: Array(body[..<16]), receiver: key.publicKey,
            sender: sender)
        let text = try AES128GCM.open(
            body[headerCount..<body.count - 16], tag: body.suffix(16), key: contentKey, nonce: nonce)
        guard let end = text.lastIndex(where: { $0 != 0 }), text[end] == 2 else { throw .authenticationFailed }
        return Array(text[..<end])
    }

    private static func keys(
        _ agreed: SecretBytes, secret: [UInt8], salt: [UInt8], receiver: P256PublicKey, sender: P256PublicKey
    ) throws(CryptoFault) -> (key: SecretBytes, nonce: SecretBytes) {
        let info = Array("WebPush: info\0".utf8) + receiver.point + sender.point
        let material = try HKDF.derive(from: agreed, salt: secret, info: info, count: 32)
        return (
            try HKDF.derive(from: material, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16),
            try HKDF.derive(from: material, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), count: 12)
        )
    }
}
