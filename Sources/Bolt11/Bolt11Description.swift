import LightningCoding

/// The description of the payment (`d` or `h`: exactly one of them).
public enum Bolt11Description: Hashable, Sendable {
    /// A text, at most 639 bytes of UTF-8.
    case text(String)
    /// The SHA-256 of a text that the payer has from elsewhere, 32 bytes; for LNURL-pay the metadata string (LUD-06).
    case hash([UInt8])

    /// Whether both are equal, byte by byte: a payer hashes the bytes.
    public static func == (one: Bolt11Description, other: Bolt11Description) -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)): one.isExactly(other)
        case (.hash(let one), .hash(let other)): one == other
        case (.text, _), (.hash, _): false
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(ExactText(text))
        case .hash(let bytes): hasher.combine(bytes)
        }
    }
}
