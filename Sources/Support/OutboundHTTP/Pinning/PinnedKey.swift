import LightningCoding
import LightningCrypto

/// The public key of a server with a self-signed certificate, stored as the SHA-256 of its DER SubjectPublicKeyInfo
/// (RFC 7469, section 2.4).
package struct PinnedKey: Hashable, Sendable {
    private let digest: [UInt8]

    /// Extracts the key of a certificate; nil when there is none in PEM, or it is malformed.
    ///
    /// - Parameter pem: the text of a certificate file (RFC 7468); the first certificate, the server's own, is used.
    package init?(certificate pem: some Collection<UInt8>) {
        guard let info = OpenSSLCertificate.publicKeyInfo(pem: pem) else { return nil }
        digest = SHA256.hash(info)
    }

    /// The key in libcurl's syntax.
    var text: String { "sha256//" + Base64.encode(digest) }
}
