public import Contracts
import LightningCoding
public import LightningCrypto

/// What stands for devices in the URLs of webhooks, instead of their push tokens: `wkh_` and the encrypted id of a device
/// in base64url, 63 characters. Whoever has it can push to that device only, and only until the device is removed.
///
/// The same device has the same handle always, so that its webhooks need no change when it registers again. The nonce is
/// made of the id, which is the only thing encrypted with it.
public struct DeviceHandles: Sendable {
    private let key: SecretBytes
    private let nonceKey: SecretBytes

    private static let prefix = "wkh_"
    private static let nonceCount = 12

    /// Creates the handles of an installation.
    ///
    /// - Parameter secret: known to the installation only.
    public init(secret: SecretBytes) {
        key = HMACSHA256.deriveSecret(from: Array("device handle".utf8), key: secret)
        nonceKey = HMACSHA256.deriveSecret(from: Array("device handle nonce".utf8), key: secret)
    }

    /// The handle of a device.
    public func handle(of id: DeviceID) throws(CryptoFault) -> String {
        let nonce = HMACSHA256.authenticate(id.bytes, key: nonceKey).prefix(Self.nonceCount)
        let sealed = try ChaCha20Poly1305.seal(id.bytes, key: key, nonce: nonce)
        return Self.prefix + Base64URL.encode(nonce + sealed)
    }

    /// Whether a token is meant as a handle.
    public static func isHandle(_ token: String) -> Bool { token.begins(with: prefix) }

    /// The device of a handle; nil when it is none of ours.
    public func device(_ handle: String) -> DeviceID? {
        guard Self.isHandle(handle), let bytes = try? Base64URL.decode(handle.dropFirst(Self.prefix.count)),
            bytes.count > Self.nonceCount
        else { return nil }
        let plain = try? ChaCha20Poly1305.open(
            bytes.dropFirst(Self.nonceCount), key: key, nonce: bytes.prefix(Self.nonceCount))
        return plain.flatMap { DeviceID($0) }
    }
}
