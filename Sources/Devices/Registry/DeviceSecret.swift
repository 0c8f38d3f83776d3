import LightningCoding
public import LightningCrypto

/// What a device shows with every request: `wkd_` and 32 bytes in base64url. The service stores its SHA-256 only.
public struct DeviceSecret: Sendable {
    private let text: String

    private static let prefix = "wkd_"

    /// A new secret.
    public init(random: RandomSource) throws(CryptoFault) {
        text = Self.prefix + Base64URL.encode(try random(32))
    }

    /// Reads a secret; nil when it is none.
    public init?(_ text: String) {
        guard text.begins(with: Self.prefix),
            let bytes = try? Base64URL.decode(text.dropFirst(Self.prefix.count)), bytes.count == 32
        else { return nil }
        self.text = text
    }

    /// SHA-256 of the text, by which a device is found.
    public var hash: [UInt8] { SHA256.hash(text.utf8) }

    /// What the device stores and shows.
    public var disclosed: String { text }
}
