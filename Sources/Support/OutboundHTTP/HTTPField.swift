/// One header field of a request or response.
///
/// A field that contains a line break or affects message framing cannot be created.
package struct HTTPField: Hashable, Sendable {
    /// The field's name as written; ``isNamed(_:)`` compares names case-insensitively.
    package let name: String
    /// The field's value, without surrounding white space.
    package let value: String
    /// Whether the value is a credential, which must not be printed.
    package let isSecret: Bool

    /// Creates a request field.
    ///
    /// - Throws: ``HTTPFieldFault`` when the name is not a token (RFC 9110 §5.1), is one that libcurl sets itself
    ///   (`Host`, `Content-Length` …), or when the value contains anything but visible ASCII, spaces and tabs.
    package init(_ name: String, _ value: String, isSecret: Bool = false) throws(HTTPFieldFault) {
        guard !name.isEmpty, Self.consists(name, of: Self.isTokenByte) else { throw .invalidName }
        guard !Self.framing.contains(where: { Self.isSame(name, $0) }) else { throw .framingField }
        guard Self.consists(value, of: { (0x20...0x7E).contains($0) || $0 == 0x09 }) else { throw .invalidValue }
        self.init(received: name, value, isSecret: isSecret)
    }

    init(received name: String, _ value: String, isSecret: Bool = false) {
        self.name = name
        self.value = value
        self.isSecret = isSecret || Self.credentials.contains { Self.isSame(name, $0) }
    }

    /// `Accept: application/json`
    package static let acceptJSON = HTTPField(received: "Accept", "application/json")
    /// `Content-Type: application/json`
    package static let jsonContent = HTTPField(received: "Content-Type", "application/json")

    /// `Content-Type: application/x-www-form-urlencoded`
    package static let formContent = HTTPField(received: "Content-Type", "application/x-www-form-urlencoded")

    /// Whether the field has this name, ignoring case.
    package func isNamed(_ other: String) -> Bool {
        Self.isSame(name, other)
    }

    // A response has many fields: nothing is copied to compare their names.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static let framing = [
        "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect",
    ]

    private static let credentials = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "rune", "grpc-metadata-macaroon", "x-api-key",
        "x-auth", "x-webhook-signature",
    ]

    private static func consists(_ text: String, of isAllowed: (UInt8) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { $0.allSatisfy(isAllowed) }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default:
            "!#$%&'*+.^_`|~".utf8.contains(byte)
        }
    }
}

package enum HTTPFieldFault: Error, Hashable, Sendable {
    /// The name is empty or contains a character that is not a token character.
    case invalidName
    /// The name belongs to message framing, which libcurl handles.
    case framingField
    /// The value contains a control character, such as a line break, or is not ASCII.
    case invalidValue
}

extension [HTTPField] {
    package func first(named name: String) -> String? {
        first { $0.isNamed(name) }?.value
    }
}
