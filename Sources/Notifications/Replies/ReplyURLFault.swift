public import LightningCoding
public import OutboundHTTP

/// Why a reply URL is not allowed.
public enum ReplyURLFault: Error, Hashable, Sendable {
    /// It is not a strictly valid URL: it may contain a user name or password, for instance.
    case url(URLFault)
    /// Plain http, which is allowed only for `.onion` and, where enabled, for loopback.
    case clearnetHTTP
    /// The port is not allowed.
    case port(UInt16)
    /// The host is not allowed.
    case hostNotListed
    /// Through a proxy, where addresses cannot be checked, only listed hosts are allowed, and none is listed.
    case hostNotListedBehindProxy
    /// A Tor service that is not listed.
    case onionNotListed
    /// A Tor service without a SOCKS proxy to reach it.
    case onionWithoutProxy
    /// The host is an address outside the public internet.
    case address(AddressClass)
    /// The host's name resolves to no public address.
    case resolvedAddress
}
