import LightningCoding
import LightningCrypto
package import Platform

/// A file with the private key of a provider, which only its owner may read.
enum CredentialFile {
    /// The longest accepted file, in bytes.
    static let maximumCount = 64 << 10

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

package enum CredentialFault: Error, Hashable, Sendable, ReadableFault {
    /// The file cannot be read, or others may read it.
    case file(path: String, PrivateFileFault)
    /// The file holds no private key that the provider takes.
    case key(path: String, expected: String)
    /// The service account is not JSON, or a member is missing or malformed.
    case serviceAccount(path: String, member: String)
    /// The id has not ten letters and digits.
    case identifier(String)
    /// The contact is neither `mailto:` nor `https:`.
    case contact

    package var reason: String {
        switch self {
        case .file(let path, let fault): "\(path): \(fault.reason)"
        case .key(let path, let expected): "\(path): it is not \(expected)"
        case .serviceAccount(let path, member: ""): "\(path): it is not the JSON file of a service account"
        case .serviceAccount(let path, let member): "\(path): \(member) is missing or malformed"
        case .identifier(let name): "the \(name) must be ten capital letters and digits"
        case .contact: "the contact must be a mailto: or https: URL"
        }
    }
}

/// A signed token in compact form (RFC 7515): header, claims and signature in base64url.
enum JSONWebToken {
    static func signed(
        header: JSONObject, claims: JSONObject, by sign: ([UInt8]) throws(CryptoFault) -> [UInt8]
    ) throws(CryptoFault) -> String {
        let text = [header, claims].map { Base64URL.encode(JSONValue.object($0).serializedBytes()) }
            .joined(separator: ".")
        return text + "." + Base64URL.encode(try sign(Array(text.utf8)))
    }
}
