/// The rule of `HTTPURL` that a text breaks.
public enum URLFault: Error, Hashable, Sendable {
    /// Neither `http://` nor `https://`.
    case unknownScheme
    /// A name or password before the host.
    case userInfo
    /// The host is missing.
    case emptyHost
    /// Neither a valid host name nor an address.
    case invalidHost
    /// A non-ASCII character; international names must be written in Punycode.
    case notASCII
    /// Not a decimal number from 1 to 65535 without leading zeros.
    case invalidPort
    /// A `#`: a server never sees what follows it.
    case fragment
    /// A character not allowed in a path or query, at an offset in characters.
    case invalidCharacter(at: Int)
    /// More than `HTTPURL.maximumLength` characters.
    case tooLong

    /// What is wrong, worded to follow the URL's name: "it has no host".
    public var reason: String {
        switch self {
        case .unknownScheme: "it begins with neither https:// nor http://"
        case .userInfo: "it carries a user name"
        case .emptyHost: "it has no host"
        case .invalidHost: "its host is not a host name or address"
        case .notASCII: "it has non-ASCII characters"
        case .invalidPort: "its port is not a number from 1 to 65535"
        case .fragment: "it has a fragment, after #"
        case .invalidCharacter(let offset): "character \(offset + 1) is invalid"
        case .tooLong: "it is too long"
        }
    }
}
