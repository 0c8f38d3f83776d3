import LightningCoding
import LightningCrypto

enum PageHTML {
    static let messages = "/notifications"
    static let preferences = "/notifications/preferences"
    static let open = "/notifications/open"

    /// A page in English with its heading and, for who is let in, the ways between the pages.
    static func page(_ title: String, _ content: [Markup], formCode: String? = nil, isLive: Bool = false) -> String {
        var body = [Markup.element("h1", [], title)]
        if let formCode { body.append(navigation(on: title, formCode)) }
        var elements = [Markup.element("main", body + content)]
        if isLive { elements.append(.element("script", [.constant(script)])) }
        let head: [Markup] = [
            .element("meta", [("charset", "utf-8")], []),
            .element("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")], []),
            .element("title", [], title), .element("style", [.constant(style)]),
        ]
        var text = "<!DOCTYPE html>\n"
        Markup.element("html", [("lang", "en")], [.element("head", head), .element("body", elements)])
            .write(to: &text)
        return text + "\n"
    }

    private static func navigation(on title: String, _ formCode: String) -> Markup {
        let links = [("Messages", messages), ("Preferences", preferences)].map { name, path in
            let current = name == title ? [("aria-current", "page")] : []
            return Markup.element("a", [("href", path)] + current, name)
        }
        return .element(
            "nav", [("aria-label", "Notification center")],
            links + [form("/notifications/close", formCode, [button("Sign out")])])
    }

    static func form(_ path: String, _ code: String, _ content: [Markup]) -> Markup {
        .element("form", [("method", "post"), ("action", path)], [hidden("form", code)] + content)
    }

    static func hidden(_ name: String, _ value: String) -> Markup {
        .element("input", [("type", "hidden"), ("name", name), ("value", value)], [])
    }

    /// A button that sends a form.
    ///
    /// - Parameter subject: the id of the element that says what it is about.
    static func button(_ text: String, about subject: String? = nil) -> Markup {
        .element("button", [("type", "submit")] + (subject.map { [("aria-describedby", $0)] } ?? []), text)
    }

    /// Nothing but these styles and this script, and nothing from elsewhere.
    static let policy = [
        "default-src 'none'", "style-src '\(digest(of: style))'", "script-src '\(digest(of: script))'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static func digest(of text: StaticString) -> String {
        "sha256-" + Base64.encode(SHA256.hash("\(text)".utf8))
    }

    private static let style: StaticString = """
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
        :root { background: light-dark(#fff, #161616); color: light-dark(#161616, #f0f0f0) }
        a { color: light-dark(#0842a0, #a8c7fa) }
        main { max-width: 40rem; margin: 0 auto; padding: 1rem }
        h1, h2 { line-height: 1.2; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 0 }
        nav, .actions { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center }
        nav a, nav button, .actions button, .more a { min-height: 2rem; padding: .25rem .5rem }
        a[aria-current] { font-weight: bold }
        ol { list-style: none; padding: 0 } li { border-top: 1px solid #8888; padding: .75rem 0 }
        p { margin: .4rem 0; overflow-wrap: anywhere } code { overflow-wrap: anywhere }
        form { margin: 0 } fieldset { margin: 1rem 0; border: 1px solid #8888 }
        button, input, select { font: inherit }
        input[type=checkbox] { width: 1.5rem; height: 1.5rem; vertical-align: middle }
        a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid Highlight }
        .unread { font-weight: bold }
        .alert { color: light-dark(#a00d0d, #ff9d9d) }
        """

    /// Only tells that something has changed: what is on the page is not moved away from whoever reads it.
    private static let script: StaticString = """
        "use strict";
        const news = document.getElementById("news");
        const source = new EventSource("/v1/notifications/stream?after=" + news.dataset.place);
        const show = () => {
          if (news.firstChild) return;
          const link = document.createElement("a");
          link.href = "/notifications";
          link.textContent = "There are new messages. Show them.";
          news.append(link);
        };
        source.addEventListener("notification", show);
        source.addEventListener("resync", show);
        source.addEventListener("read", event => {
          document.getElementById("unread").textContent = JSON.parse(event.data).unread + " unread";
        });
        """
}
