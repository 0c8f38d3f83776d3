import LightningCoding
package import LightningCrypto
package import ResponderModel

/// What stands for devices in the URLs of webhooks, instead of their push tokens: `wkh_` and the encrypted id of a device
/// in base64url, 63 characters. Whoever has it can push to that device only, and only until the device is removed.
///
/// The same device has the same handle always, so that its webhooks need no change when it registers again. The nonce is
/// made of the id, which is the only thing encrypted with it.
package struct DeviceHandles: Sendable {
    private let key: SecretBytes
    private let nonceKey: SecretBytes

    private static let prefix = "wkh_"
    private static let nonceCount = 12

    /// Creates the handles of an installation.
    ///
    /// - Parameter secret: known to the installation only.
    package init(secret: SecretBytes) {
        key = HMACSHA256.deriveSecret(from: Array("device handle".utf8), key: secret)
        nonceKey = HMACSHA256.deriveSecret(from: Array("device handle nonce".utf8), key: secret)
    }

    package func handle(of id: DeviceID) throws(CryptoFault) -> String {
        let nonce = HMACSHA256.authenticate(id.bytes, key: nonceKey).prefix(Self.nonceCount)
        let sealed = try ChaCha20Poly1305.seal(id.bytes, key: key, nonce: nonce)
        return Self.prefix + Base64URL.encode(nonce + sealed)
    }

    package static func isHandle(_ token: String) -> Bool { token.begins(with: prefix) }

    /// The device of a handle; nil when it is none of ours.
    package func device(_ handle: String) -> DeviceID? {
        guard Self.isHandle(handle), let bytes = try? Base64URL.decode(handle.dropFirst(Self.prefix.count)),
            bytes.count > Self.nonceCount
        else { return nil }
        let plain = try? ChaCha20Poly1305.open(
            bytes.dropFirst(Self.nonceCount), key: key, nonce: bytes.prefix(Self.nonceCount))
        return plain.flatMap { DeviceID($0) }
    }
}

/// What a device shows with every request: `wkd_` and 32 bytes in base64url. The service stores its SHA-256 only.
package struct DeviceSecret: Sendable {
    private let text: String

    private static let prefix = "wkd_"

    package init(random: RandomSource) throws(CryptoFault) {
        text = Self.prefix + Base64URL.encode(try random(32))
    }

    /// Reads a secret; nil when it is none.
    package init?(_ text: String) {
        guard text.begins(with: Self.prefix),
            let bytes = try? Base64URL.decode(text.dropFirst(Self.prefix.count)), bytes.count == 32
        else { return nil }
        self.text = text
    }

    /// SHA-256 of the text, by which a device is found.
    package var hash: [UInt8] { SHA256.hash(text.utf8) }

    /// What the device stores and shows.
    package var disclosed: String { text }
}
