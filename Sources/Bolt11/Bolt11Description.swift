/// What an invoice says the payment is for (`d` or `h`: exactly one of them).
public enum Bolt11Description: Hashable, Sendable {
    /// A text, at most 639 bytes of UTF-8.
    case text(String)
    /// The SHA-256 of a text that the payer has from elsewhere, 32 bytes; for LNURL-pay the metadata string (LUD-06).
    case hash([UInt8])
}
