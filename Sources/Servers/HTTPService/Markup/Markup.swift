/// An element of an HTML document, or its text. Everything is escaped, Unicode scalar by Unicode scalar: a
/// combining mark behind a quotation mark does not hide it.
indirect enum Markup: Sendable {
    /// An element: its name, its attributes, and what is in it.
    case element(String, [(String, String)], [Markup])
    case text(String)
    /// What is written in the source, for `style` and `script` of HTML, in which nothing is unescaped.
    case constant(StaticString)

    static func element(_ name: String, _ attributes: [(String, String)] = [], _ text: String) -> Markup {
        .element(name, attributes, [.text(text)])
    }

    /// An element without attributes.
    static func element(_ name: String, _ children: [Markup]) -> Markup { .element(name, [], children) }

    /// Elements of HTML that have no end tag.
    private static let void: Set = ["meta", "link", "br", "input"]

    func write(to text: inout String) {
        switch self {
        case .text(let content): text += Self.escaped(content)
        case .constant(let code): text += "\(code)"
        case .element(let name, let attributes, let children):
            text += "<\(name)"
            for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
            text += ">"
            guard !Self.void.contains(name) else { return }
            for child in children { child.write(to: &text) }
            text += "</\(name)>"
        }
    }

    /// Text for elements and attributes; control characters are replaced.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\t", "\n": escaped.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
