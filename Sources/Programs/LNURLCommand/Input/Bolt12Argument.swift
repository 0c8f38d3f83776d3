import Bolt12
import LightningCoding

/// A text that begins like BOLT 12, extracted from what the user pasted, typed or piped in.
struct Bolt12Argument {
    let kind: Bolt12Text.Kind
    /// The text as given, including `+` and white space.
    let text: String

    /// Parses `lno1…`, the same after `lightning:`, or the parameter `lno` or `lightning` of a `bitcoin:` URI
    /// (BIP-321); nil when there is none of these.
    init?(_ pasted: String) {
        let text = Self.withoutScheme(pasted)
        guard let kind = Self.kind(of: text) else { return nil }
        self.kind = kind
        self.text = text
    }

    private static func withoutScheme(_ pasted: String) -> String {
        guard let last = pasted.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        let text = pasted[...last].drop(while: \.isWhitespace)
        guard let colon = text.firstIndex(of: ":") else { return String(text) }
        let rest = text[text.index(after: colon)...]
        return switch text[..<colon].lowercased() {
        case "lightning": String(rest.hasPrefix("//") ? rest.dropFirst(2) : rest)
        case "bitcoin": parameter(of: rest) ?? ""
        default: ""
        }
    }

    /// The first parameter that begins like BOLT 12. Keys are case-insensitive; `+` is kept.
    private static func parameter(of uri: Substring) -> String? {
        let query = uri.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, ["lno", "lightning"].contains(parts[0].lowercased()),
                let value = try? PercentEncoding.decode(parts[1], plusIsSpace: false), kind(of: value) != nil
            else { continue }
            return value
        }
        return nil
    }

    /// A `+` may also occur within the prefix. An `@` makes it an address.
    private static func kind(of text: String) -> Bolt12Text.Kind? {
        guard !text.contains("@") else { return nil }
        let head = String(text.lazy.filter { $0 != "+" && !$0.isWhitespace }.prefix(4)).lowercased()
        return Bolt12Text.Kind.allCases.first { head == $0.rawValue + "1" }
    }
}

extension Bolt12Argument {
    /// Reads an argument that must be BOLT 12; `-` means standard input.
    static func read(_ argument: String, as kinds: Bolt12Text.Kind...) throws(ToolFault) -> Bolt12Argument {
        guard let found = Bolt12Argument(try Target.text(argument)), kinds.contains(found.kind) else {
            throw .otherDocument(expected: kinds)
        }
        return found
    }

    func offer() throws(ToolFault) -> Offer {
        try rethrowing(Offer(text), as: ToolFault.offer)
    }

    func invoiceRequest() throws(ToolFault) -> InvoiceRequest {
        try rethrowing(InvoiceRequest(text), as: ToolFault.invoiceRequest)
    }

    func invoice() throws(ToolFault) -> Bolt12Invoice {
        try rethrowing(Bolt12Invoice(text), as: ToolFault.bolt12Invoice)
    }
}
