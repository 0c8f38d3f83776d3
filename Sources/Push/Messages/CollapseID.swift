import LightningCoding
import LightningCrypto

/// The id with which a message replaces an undelivered one: 1 to 64 visible ASCII characters.
public struct CollapseID: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// The id for one thing that a user is told of. The provider can link it neither to the thing, such as a payment hash,
    /// nor to the same thing at another user.
    ///
    /// - Parameters:
    ///   - secret: a key that the provider does not know.
    ///   - identity: the user or device.
    ///   - topic: the type of message.
    ///   - key: the thing.
    public init(secret: some Collection<UInt8>, identity: String, topic: String, key: String) {
        text = Hexadecimal.encode(HMACSHA256.authenticate(Array("\(identity)|\(topic)|\(key)".utf8), key: secret))
    }

    /// An id chosen by somebody else: as it is when it is allowed, else its SHA-256 in hexadecimal.
    public init(_ text: String) {
        let isAllowed = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        self.text = isAllowed ? text : Hexadecimal.encode(SHA256.hash(Array(text.utf8)))
    }

    /// The characters.
    public var description: String { text }
}
