public import LightningCoding

/// Why a text is no Lightning address, or no local part of one (LUD-16).
public enum AddressFault: Error, Hashable, Sendable {
    /// A `%` is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8.
    case percentEncoding(CodingFault)
    /// There is no `@`.
    case missingAtSign
    /// There is more than one `@`.
    case severalAtSigns
    /// Nothing stands before the `@` or before the `+`.
    case emptyName
    /// The name has more than 64 characters.
    case nameTooLong
    /// A byte outside `a-z0-9-_.` (upper case is folded); its offset in the name or tag.
    case invalidCharacter(at: Int)
    /// The name is `.` or `..`: a path would swallow it.
    case dotSegment
    /// Nothing stands after the `+`.
    case emptyTag
    /// The tag has more than 64 characters.
    case tagTooLong
    /// What follows the `@` is no `host` or `host:port`.
    case invalidDomain(URLFault)
}
