public import LightningCoding

/// Why a text names nothing that can be asked, in the order of the checks.
public enum TargetFault: Error, Hashable, Sendable {
    /// There is no text.
    case empty
    /// It is neither an LNURL nor an address, a URL or an invoice.
    case unrecognised
    /// It is no bech32 text (BIP-173).
    case bech32(CodingFault)
    /// It is bech32, but not of an LNURL; the human-readable part found.
    case wrongPrefix(String)
    /// What bech32 carries is not UTF-8.
    case notUTF8
    /// The URL breaks a rule of URLs. Inside bech32, the schemes of LUD-17 are unknown ones.
    case url(URLFault)
    /// The URL is plain http, and neither an onion service nor this machine.
    case clearnetHTTP
    /// It has an `@` and no scheme, but is no address.
    case address(AddressFault)
}
