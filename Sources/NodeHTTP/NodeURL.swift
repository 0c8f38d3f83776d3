public import LightningCoding
public import Contracts

/// Where a node is to which a secret of ours goes: a macaroon, a password, a rune, a token. Over `https`; in the open only to this
/// machine, or to an onion service, the way to which is encrypted by itself.
public struct NodeURL: Hashable, Sendable {
    /// The URL.
    public let url: HTTPURL

    /// What is wrong with any other URL, as what is said after its name.
    public static let rule = "must begin with https, or lead to this machine or an onion service"

    /// Takes a URL by which a secret stays one.
    ///
    /// - Throws: `BackendFault.refused` for any other.
    public init(_ url: HTTPURL) throws(BackendFault) {
        guard url.scheme == .https || url.isLoopback || url.isOnion else { throw .refused("the URL \(Self.rule)") }
        self.url = url
    }
}
