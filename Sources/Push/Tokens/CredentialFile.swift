import LightningCrypto
import Platform

/// A file with the private key of a provider, which only its owner may read.
enum CredentialFile {
    /// The longest accepted file, in bytes.
    static let maximumCount = 64 << 10

    /// Reads the file.
    static func contents(_ path: String) throws(CredentialFault) -> SecretBytes {
        do {
            return SecretBytes(try PrivateFile(path: path).contents(limit: maximumCount))
        } catch {
            throw .file(path: path, error)
        }
    }

    /// Reads a key of P-256 in PEM.
    static func p256(_ path: String) throws(CredentialFault) -> P256SecretKey {
        let contents = try contents(path)
        guard let key = try? P256SecretKey(pem: contents) else {
            throw .key(path: path, expected: "a private key of P-256 in PEM")
        }
        return key
    }
}
