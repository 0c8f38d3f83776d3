public import LightningCoding
public import Contracts

/// The URL of a node that receives one of our secrets: a macaroon, a password, a rune, a token. It must use `https`;
/// plain `http` only to loopback or to an onion service, whose connections are encrypted anyway.
public struct NodeURL: Hashable, Sendable {
    /// The URL.
    public let url: HTTPURL

    /// Why other URLs are rejected, to follow the URL's name.
    public static let rule = "must begin with https, or lead to this machine or an onion service"

    /// Checks that a URL keeps a secret safe.
    ///
    /// - Throws: `BackendFault.refused` otherwise.
    public init(_ url: HTTPURL) throws(BackendFault) {
        guard url.scheme == .https || url.isLoopback || url.isOnion else { throw .refused("the URL \(Self.rule)") }
        self.url = url
    }
}
