public import LightningCoding

/// Why a text is not a Lightning address or local part (LUD-16).
public enum AddressFault: Error, Hashable, Sendable {
    /// A `%` is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8.
    case percentEncoding(CodingFault)
    /// There is no `@`.
    case missingAtSign
    /// There is more than one `@`.
    case severalAtSigns
    /// The part before the `@` or `+` is empty.
    case emptyName
    /// The name has more than 64 characters.
    case nameTooLong
    /// A byte outside `a-z0-9-_.` (after folding upper case); its offset in the name or tag.
    case invalidCharacter(at: Int)
    /// The name is `.` or `..`, which paths would resolve away.
    case dotSegment
    /// The part after the `+` is empty.
    case emptyTag
    /// The tag has more than 64 characters.
    case tagTooLong
    /// The part after the `@` is not `host` or `host:port`.
    case invalidDomain(URLFault)
}
