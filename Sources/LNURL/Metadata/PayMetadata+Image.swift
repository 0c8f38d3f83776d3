import LightningCoding

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
