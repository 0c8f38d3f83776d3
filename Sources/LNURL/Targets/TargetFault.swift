public import LightningCoding

/// Why a text names nothing to request, in the order of the checks.
public enum TargetFault: Error, Hashable, Sendable {
    /// There is no text.
    case empty
    /// It is neither an LNURL nor an address, a URL or an invoice.
    case unrecognised
    /// It is not a bech32 text (BIP-173).
    case bech32(CodingFault)
    /// It is bech32, but not an LNURL; the human-readable part found.
    case wrongPrefix(String)
    /// The decoded bech32 text is not UTF-8.
    case notUTF8
    /// The URL breaks a rule of URLs. Inside bech32, the schemes of LUD-17 are not accepted.
    case url(URLFault)
    /// The URL is plain http, and neither an onion service nor the local machine.
    case clearnetHTTP
    /// It has an `@` and no scheme, but is not an address.
    case address(AddressFault)
}
