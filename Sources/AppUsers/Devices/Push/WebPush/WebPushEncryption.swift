package import ResponderModel
package import LightningCrypto

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
