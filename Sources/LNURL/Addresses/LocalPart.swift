import LightningCoding

/// What stands before the `@` of a Lightning address: `alice`, or with a tag `alice+rent` (LUD-16, "Tags").
///
/// The first `+` ends the name; the tag may hold further ones.
public struct LocalPart: Hashable, Sendable {
    /// Who is paid.
    public let name: AddressName
    /// What follows the `+`, in lower case: 1 to 64 of `a-z0-9-_.+`. The money goes to `name` all the same.
    public let tag: String?

    /// The longest tag, in characters.
    public static let maximumTagCount = 64

    /// A local part without a tag.
    public init(name: AddressName) {
        self.name = name
        tag = nil
    }

    /// Reads a local part that is no longer percent-encoded.
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

    /// Reads a segment of a URL's path, as it stands in the request: percent-encoding is undone once, and a `+` is a `+`,
    /// since only query strings write spaces so.
    public init(pathSegment: some StringProtocol) throws(AddressFault) {
        let decoded: String
        do {
            decoded = try PercentEncoding.decode(pathSegment, plusIsSpace: false)
        } catch {
            throw .percentEncoding(error)
        }
        try self.init(decoded)
    }

    /// `alice` or `alice+rent`: every character of it may stand in a path as it is.
    public var text: String {
        guard let tag else { return name.text }
        return "\(name.text)+\(tag)"
    }
}

extension LocalPart: CustomStringConvertible {
    /// The same as `text`.
    public var description: String { text }
}
