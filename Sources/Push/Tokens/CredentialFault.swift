public import LightningCoding
public import Platform

/// Why the credential of a push provider cannot be used.
public enum CredentialFault: Error, Hashable, Sendable, ReadableFault {
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

    /// The text for the operator.
    public var reason: String {
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
