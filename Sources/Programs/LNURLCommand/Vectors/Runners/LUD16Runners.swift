import LNURL
import LightningCoding

extension VectorRunner {
    static let lud16 = [
        // Parses a Lightning address.
        VectorRunner("lud-16", "address") { input in
            let address = try LightningAddress(input.text("text"))
            return [
                "name": .string(address.name),
                "tag": .text(address.tag),
                "domain": .string(address.domain),
                "identifier": .string(address.identifier),
                "url": .string(address.payURL.text),
                "lnurl": .string(EncodedURL.encode(address.payURL, upper: true)),
            ]
        },
        // Parses the last segment of a request's path like a service.
        VectorRunner("lud-16", "path-segment") { input in
            let recipient = try LocalPart(pathSegment: input.text("segment"))
            return ["name": .string(recipient.name.text), "tag": .text(recipient.tag)]
        },
        // Adds a tag to a stored metadata string.
        VectorRunner("lud-16", "tag") { input in
            let text = PayMetadata.adding(tag: try input.text("tag"), to: try input.text("metadata"))
            let metadata = try PayMetadata(parsing: text)
            return [
                "metadata": .string(text),
                "tag": .text(metadata.tag),
                "hash": .string(Hexadecimal.encode(metadata.hash)),
            ]
        },
        // Parses a URL with a scheme that states its purpose.
        VectorRunner("lud-17", "decode") { input in
            guard case .scheme(let scheme, let url) = try LNURLTarget(input.text("text")) else {
                throw InputFault(member: "text")
            }
            return ["tag": .string(scheme.tag), "url": .string(url.text)]
        },
        // Writes a URL with a scheme that states its purpose.
        VectorRunner("lud-17", "encode") { input in
            let tag = try input.text("tag")
            guard let scheme = LNURLScheme.allCases.first(where: { $0.tag == tag }) else {
                throw InputFault(member: "tag")
            }
            return ["text": .text(scheme.text(for: try HTTPURL(input.text("url"))))]
        },
    ]
}
