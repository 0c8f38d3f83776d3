/// A page of HTML in English, with its styles inside.
package struct HTMLPage: Sendable {
    /// What the browser shows as its name.
    package var title: String
    package var style: StaticString
    package var head: [Markup]
    package var body: [Markup]

    package init(_ title: String, style: StaticString, head: [Markup] = [], body: [Markup]) {
        self.title = title
        self.style = style
        self.head = head
        self.body = body
    }

    package var text: String {
        let head: [Markup] =
            [
                .element("meta", [("charset", "utf-8")], []),
                .element("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")], []),
            ] + self.head + [.element("title", [], title), .element("style", [.constant(style)])]
        var text = "<!DOCTYPE html>\n"
        Markup.element("html", [("lang", "en")], [.element("head", head), .element("body", body)])
            .write(to: &text)
        return text + "\n"
    }
}
