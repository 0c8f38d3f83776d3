/// Why bytes are not an acceptable JSON text, and where.
public struct JSONFault: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// More bytes than `JSONLimits.maximumBytes`.
        case tooLarge
        /// Nesting beyond `JSONLimits.maximumDepth`.
        case tooDeep
        /// More elements and members in total than `JSONLimits.maximumMembers`.
        case tooManyMembers
        /// The text ends within a value.
        case unexpectedEnd
        /// A byte that is not allowed here.
        case unexpectedByte
        /// A number that RFC 8259 does not allow: a leading zero, or a missing digit.
        case invalidNumber
        /// An unknown escape, or half of a surrogate pair.
        case invalidEscape
        /// A string that is not UTF-8.
        case invalidUTF8
        /// A duplicate key in an object.
        case duplicateKey
        /// Data after the value.
        case trailing
    }

    /// What is wrong.
    public let kind: Kind
    /// Where, in bytes from the start.
    public let offset: Int

    /// Creates a fault.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// What is wrong, and at which byte: "a key stands twice in one object, at byte 12".
    public var reason: String {
        kind.reason + ", at byte \(offset)"
    }
}

extension JSONFault.Kind {
    fileprivate var reason: String {
        switch self {
        case .tooLarge: "it is too long"
        case .tooDeep: "it is nested too deeply"
        case .tooManyMembers: "it has too many members"
        case .unexpectedEnd: "it ends too early"
        case .unexpectedByte: "invalid character"
        case .invalidNumber: "a number is malformed"
        case .invalidEscape: "an escape is invalid"
        case .invalidUTF8: "a string is not UTF-8"
        case .duplicateKey: "an object has a duplicate key"
        case .trailing: "there is text after the value"
        }
    }
}

/// Limits for JSON texts from outside.
public struct JSONLimits: Sendable {
    /// Length of the text.
    public var maximumBytes: Int
    /// Nesting of arrays and objects; the reader recurses this deep.
    public var maximumDepth: Int
    /// Array elements and object members in the whole text.
    public var maximumMembers: Int

    /// By default one MiB, 32 levels, 10 000 members.
    public init(maximumBytes: Int = 1 << 20, maximumDepth: Int = 32, maximumMembers: Int = 10_000) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumMembers = maximumMembers
    }

    /// One MiB, 32 levels, 10 000 members.
    public static let `default` = JSONLimits()
}
