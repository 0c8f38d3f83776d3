import LightningCoding
import LightningCrypto

/// What a pay service says about itself (LUD-06): a JSON array of `[type, content]`, kept as the exact string served,
/// since an invoice commits to its bytes.
public struct PayMetadata: Hashable, Sendable {
    /// The string as served.
    public let text: String
    /// `text/plain`: the short description.
    public let plainText: String
    /// `text/long-desc`: the long description, shown instead of the short one (LUD-20).
    public let longDescription: String?
    /// The image.
    public let image: Image?
    /// `text/identifier`: the recipient's address (LUD-16).
    public let identifier: String?
    /// `text/email`: the recipient's address, which also receives mail (LUD-16).
    public let email: String?
    /// `text/tag`: the address's tag as understood by the service (LUD-16).
    public let tag: String?

    /// Parses a service's string. Entries of other types are ignored.
    public init(parsing text: String) throws(MetadataFault) {
        let known = try KnownEntries(text)
        guard let plainText = known["text/plain"] else { throw .missingPlainText }
        self.text = text
        self.plainText = plainText
        longDescription = known["text/long-desc"]
        identifier = known["text/identifier"]
        email = known["text/email"]
        tag = known["text/tag"]
        image = try known.image()
    }

    /// SHA-256 of the string's UTF-8, 32 bytes: the `h` of an invoice (LUD-06).
    public var hash: [UInt8] { Self.descriptionHash(of: text) }
}

extension PayMetadata {
    /// Builds an account's string, once per version.
    ///
    /// - Parameters:
    ///   - address: the recipient's address; its tag is omitted, since the string is the same for all tags.
    ///   - isMailbox: whether the address also receives mail; it is then written as `text/email` (LUD-16).
    ///   - description: the short description, shown by every wallet.
    ///   - longDescription: the long description (LUD-20).
    ///   - image: the image.
    public static func build(
        for address: LightningAddress,
        isMailbox: Bool = false,
        description: String,
        longDescription: String? = nil,
        image: Image? = nil
    ) -> String {
        var entries: [JSONValue] = [
            ["text/plain", .string(description)],
            [isMailbox ? "text/email" : "text/identifier", .string(address.identifier)],
        ]
        if let longDescription { entries.append(["text/long-desc", .string(longDescription)]) }
        if let image { entries.append([.string(image.format.metadataType), .string(image.base64)]) }
        return JSONValue.array(entries).serialized()
    }

    /// Inserts a `text/tag` entry into a stored string, before its last bracket: text and hash for a tagged address are
    /// derived from the stored bytes. A string without a bracket is not metadata, and is returned unchanged.
    public static func adding(tag: String, to stored: String) -> String {
        guard let end = stored.utf8.lastIndex(of: UInt8(ascii: "]")) else { return stored }
        let entry: JSONValue = ["text/tag", .string(tag)]
        return stored[..<end] + "," + entry.serialized() + stored[end...]
    }

    /// The 32-byte `h` of an invoice: SHA-256 of the metadata as served, followed, in the first version of LUD-18, by
    /// the payer data as received after one URL-decoding.
    ///
    /// The later version commits only to the metadata; `payerData` is then nil.
    public static func descriptionHash(of metadata: String, payerData: String? = nil) -> [UInt8] {
        SHA256.hash(metadata.utf8, (payerData ?? "").utf8)
    }
}

/// The entries of known types, by type.
private struct KnownEntries {
    private static let types: Set<ExactText> = [
        "text/plain", "text/long-desc", "text/identifier", "text/email", "text/tag",
        ExactText(PayMetadata.Image.Format.png.metadataType), ExactText(PayMetadata.Image.Format.jpeg.metadataType),
    ]

    private var contents: [ExactText: String] = [:]

    init(_ text: String) throws(MetadataFault) {
        let json = try rethrowing(JSONValue(parsing: text), as: MetadataFault.json)
        guard let entries = json.array else { throw .notAnArray }
        for (index, entry) in entries.enumerated() {
            guard let items = entry.array, let type = items.first?.string else { throw .malformedEntry(at: index) }
            guard Self.types.contains(ExactText(type)) else { continue }
            guard items.count > 1, let content = items[1].string else { throw .contentNotText(type) }
            guard contents.updateValue(content, forKey: ExactText(type)) == nil else {
                throw PayMetadata.Image.Format(metadataType: type) == nil ? .repeated(type) : .severalImages
            }
        }
    }

    subscript(_ type: String) -> String? { contents[ExactText(type)] }

    func image() throws(MetadataFault) -> PayMetadata.Image? {
        switch (self[PayMetadata.Image.Format.png.metadataType], self[PayMetadata.Image.Format.jpeg.metadataType]) {
        case (nil, nil): nil
        case (let png?, nil): try .init(format: .png, base64: png)
        case (nil, let jpeg?): try .init(format: .jpeg, base64: jpeg)
        case (_?, _?): throw .severalImages
        }
    }
}

extension PayMetadata {
    /// An image, at most 100 kB: at most 136536 characters in base64 (LUD-06).
    public struct Image: Hashable, Sendable {
        /// The format of the image.
        public let format: Format
        /// The image in base64, as in the metadata; a service's encoding is not validated.
        public let base64: String

        /// The longest base64 text, in characters.
        public static let maximumCount = 136_536

        /// Creates an image from a service's base64.
        public init(format: Format, base64: String) throws(MetadataFault) {
            guard base64.utf8.count <= Self.maximumCount else { throw .imageTooLong }
            self.format = format
            self.base64 = base64
        }

        /// Creates an image from the bytes of a file.
        public init(format: Format, bytes: [UInt8]) throws(MetadataFault) {
            try self.init(format: format, base64: Base64.encode(bytes))
        }

        /// The two formats of LUD-06.
        public enum Format: String, CaseIterable, Hashable, Sendable {
            /// `image/png;base64`
            case png
            /// `image/jpeg;base64`
            case jpeg

            /// The type of the metadata entry: `image/png;base64`.
            public var metadataType: String { "image/\(rawValue);base64" }

            init?(metadataType: String) {
                guard let format = Self.allCases.first(where: { $0.metadataType.isExactly(metadataType) }) else {
                    return nil
                }
                self = format
            }
        }
    }
}
