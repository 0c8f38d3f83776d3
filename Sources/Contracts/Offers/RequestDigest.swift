import LightningCrypto

/// Identifies a repeated invoice request: the SHA-256 of its bytes, 32 bytes.
public struct RequestDigest: Hashable, Sendable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The digest of a request's bytes.
    public init(of request: [UInt8]) {
        bytes = SHA256.hash(request)
    }
}
