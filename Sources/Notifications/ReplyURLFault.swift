public import LightningCoding
public import OutboundHTTP

/// Why nothing may be posted to a reply URL.
public enum ReplyURLFault: Error, Hashable, Sendable {
    /// It is no URL of the strict kind: a name or password in it, among others.
    case url(URLFault)
    /// Plain http, which is for `.onion` and, where that is allowed, for this machine only.
    case clearnetHTTP
    /// A port that is not among the allowed ones.
    case port(UInt16)
    /// The host is not among the allowed ones.
    case hostNotListed
    /// Through a proxy, where no address can be checked, only listed hosts are allowed, and none is listed.
    case hostNotListedBehindProxy
    /// A Tor service that is not listed.
    case onionNotListed
    /// A Tor service, and no SOCKS proxy to reach it by.
    case onionWithoutProxy
    /// The host is an address that is not one of the public internet.
    case address(AddressClass)
    /// The host's name leads to no address of the public internet.
    case resolvedAddress
}
