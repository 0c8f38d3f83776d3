import LightningCoding
public import LightningCrypto

/// By what a provider replaces a stored push message with a newer one: 1 to 64 visible ASCII characters.
///
/// It is an HMAC, so that the provider cannot link it to a payment hash.
public struct CollapseID: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// The id of what one recipient is told about one thing.
    ///
    /// - Parameters:
    ///   - identity: who is told, such as `ln:<node id>`.
    ///   - topic: what about.
    ///   - key: which one of the topic, such as a payment hash.
    ///   - secret: known to the sender only.
    public init(of identity: String, topic: WakeTopic, key: String, secret: SecretBytes) {
        let code = HMACSHA256.authenticate("\(identity)|\(topic)|\(key)".utf8, key: secret)
        text = Hexadecimal.encode(code)
    }

    /// Any text: as it is when a provider accepts it, otherwise its SHA-256.
    public init(_ text: String) {
        self.text = text.isVisibleASCII(upTo: 64) ? text : Hexadecimal.encode(SHA256.hash(text.utf8))
    }

    /// The characters.
    public var description: String { text }
}
