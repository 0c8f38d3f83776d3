import LNURL
import LightningCoding

/// Parses a Lightning address.
struct AddressRunner: LUDRunner {
    static let standard = "lud-16"
    static let subject = "address"

    func run(_ input: VectorInput) throws -> JSONObject {
        let address = try LightningAddress(input.string("text"))
        return [
            "name": .string(address.name),
            "tag": .text(address.tag),
            "domain": .string(address.domain),
            "identifier": .string(address.identifier),
            "url": .string(address.payURL.text),
            "lnurl": .string(EncodedURL.encode(address.payURL, upper: true)),
        ]
    }
}

/// Parses the last segment of a request's path like a service.
struct PathSegmentRunner: LUDRunner {
    static let standard = "lud-16"
    static let subject = "path-segment"

    func run(_ input: VectorInput) throws -> JSONObject {
        let recipient = try LocalPart(pathSegment: input.string("segment"))
        return ["name": .string(recipient.name.text), "tag": .text(recipient.tag)]
    }
}

/// Adds a tag to a stored metadata string.
struct TagRunner: LUDRunner {
    static let standard = "lud-16"
    static let subject = "tag"

    func run(_ input: VectorInput) throws -> JSONObject {
        let text = PayMetadata.adding(tag: try input.string("tag"), to: try input.string("metadata"))
        let metadata = try PayMetadata(parsing: text)
        return [
            "metadata": .string(text),
            "tag": .text(metadata.tag),
            "hash": .string(Hexadecimal.encode(metadata.hash)),
        ]
    }
}

/// Parses a URL with a scheme that states its purpose.
struct SchemeDecodeRunner: LUDRunner {
    static let standard = "lud-17"
    static let subject = "decode"

    private struct NoScheme: Error {}

    func run(_ input: VectorInput) throws -> JSONObject {
        guard case .scheme(let scheme, let url) = try LNURLTarget(input.string("text")) else { throw NoScheme() }
        return ["tag": .string(scheme.tag), "url": .string(url.text)]
    }
}

/// Writes a URL with a scheme that states its purpose.
struct SchemeEncodeRunner: LUDRunner {
    static let standard = "lud-17"
    static let subject = "encode"

    func run(_ input: VectorInput) throws -> JSONObject {
        let tag = try input.string("tag")
        guard let scheme = LNURLScheme.allCases.first(where: { $0.tag == tag }) else {
            throw VectorInput.Fault(member: "tag")
        }
        return ["text": .text(scheme.text(for: try HTTPURL(input.string("url"))))]
    }
}
