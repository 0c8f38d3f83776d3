import LightningCoding

/// The part of a Lightning address before the `@`: `alice`, or with a tag `alice+rent` (LUD-16, "Tags").
///
/// The first `+` ends the name; the tag may contain others.
public struct LocalPart: Hashable, Sendable {
    /// The recipient's name.
    public let name: AddressName
    /// The part after the `+`, in lower case: 1 to 64 of `a-z0-9-_.+`. It does not affect who is paid.
    public let tag: String?

    /// The longest tag, in characters.
    public static let maximumTagCount = 64

    /// A local part without a tag.
    public init(name: AddressName) {
        self.name = name
        tag = nil
    }

    /// The same tag at another name.
    public func renamed(_ name: AddressName) -> LocalPart {
        LocalPart(name: name, tag: tag)
    }

    private init(name: AddressName, tag: String?) {
        self.name = name
        self.tag = tag
    }

    /// Parses a local part that is already percent-decoded.
    public init(_ text: some StringProtocol) throws(AddressFault) {
        let plus = text.utf8.firstIndex(of: UInt8(ascii: "+")) ?? text.endIndex
        name = try AddressName(text[..<plus])
        guard plus != text.endIndex else {
            tag = nil
            return
        }
        let tag = text[text.utf8.index(after: plus)...]
        guard !tag.isEmpty else { throw .emptyTag }
        let folded = try foldedLocalPart(tag, allowing: [UInt8(ascii: "+")])
        guard folded.utf8.count <= Self.maximumTagCount else { throw .tagTooLong }
        self.tag = folded
    }

    /// Parses a path segment as in the request: percent-decoded once, with `+` kept, since only query strings use it
    /// for spaces.
    public init(pathSegment: some StringProtocol) throws(AddressFault) {
        let decoded = try rethrowing(
            PercentEncoding.decode(pathSegment, plusIsSpace: false), as: AddressFault.percentEncoding)
        try self.init(decoded)
    }

    /// `alice` or `alice+rent`; safe in a path without encoding.
    public var text: String {
        guard let tag else { return name.text }
        return "\(name.text)+\(tag)"
    }
}

extension LocalPart: CustomStringConvertible {
    /// The same as `text`.
    public var description: String { text }
}
