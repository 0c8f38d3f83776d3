import LightningCoding
package import LightningCrypto

/// Decrypts payloads: the private key whose public key the app has given to the sender, and the name of its purpose.
package struct PayloadKey: Sendable {
    let secret: SecretKey
    let purpose: String

    package init(_ secret: SecretKey, purpose: String) {
        self.secret = secret
        self.purpose = purpose
    }
}

package enum DecipherFault: Error, Hashable, Sendable {
    case noKey
    case member(MemberFault)
    /// It was encrypted for another key or purpose, or modified.
    case authentication
    /// The plaintext is not a notification.
    case plaintext
}

/// An encrypted payload: AES-256-GCM with a key agreed between the sender's key and ours.
struct EncryptedPayload {
    private let sealed: SealedPayload

    /// Reads `cipher` (base64), `iv`, `tag` and `publicKey` (hexadecimal).
    init(_ object: JSONObject) throws(DecipherFault) {
        let reader = MemberReader(object)
        do {
            let cipher = try Self.base64("cipher", in: reader)
            let nonce = try reader.hexadecimal("iv")
            guard (12...16).contains(nonce.count) else { throw MemberFault("iv", .notHexadecimal) }
            let tag = try reader.hexadecimal("tag")
            guard tag.count == 16 else { throw MemberFault("tag", .notHexadecimal) }
            let point = try reader.hexadecimal("publicKey")
            guard let sender = try? PublicKey(point) else { throw MemberFault("publicKey", .notHexadecimal) }
            sealed = SealedPayload(ciphertext: cipher, nonce: nonce, tag: tag, sender: sender)
        } catch let fault as MemberFault {
            throw .member(fault)
        } catch {
            throw .plaintext
        }
    }

    func opened(with key: PayloadKey) throws(DecipherFault) -> JSONValue {
        let plaintext = try rethrowing(
            sealed.opened(with: key.secret, purpose: key.purpose), as: DecipherFault.authentication)
        return try rethrowing(JSONValue(parsing: plaintext), as: DecipherFault.plaintext)
    }

    private static func base64(_ name: String, in reader: MemberReader) throws(MemberFault) -> [UInt8] {
        let text = try reader.text(name, maximum: NotificationReader.maximumCount)
        return try rethrowing(Base64.decode(text), as: MemberFault(name, .notBase64))
    }
}
