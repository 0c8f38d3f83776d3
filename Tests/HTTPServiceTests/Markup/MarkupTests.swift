import Foundation
import Testing
@testable import HTTPService

@Suite("HTML documents", .timeLimit(.minutes(5)))
struct MarkupTests {
    private func html(_ markup: Markup) -> String {
        var text = ""
        markup.write(to: &text)
        return text
    }

    @Test(
        "Everything that could end a text or an attribute is escaped, also in front of a combining mark",
        arguments: [
            ("&lt;", "&amp;lt;"), ("<script>", "&lt;script&gt;"), ("\"'", "&quot;&#39;"),
            ("x\"\u{301} autofocus", "x&quot;\u{301} autofocus"), ("<\u{338}b", "&lt;\u{338}b"),
            (">\u{338}", "&gt;\u{338}"), ("&\u{20DD}", "&amp;\u{20DD}"), ("'\u{200D}", "&#39;\u{200D}"),
        ])
    func escapes(text: String, expected: String) {
        #expect(Array(html(.text(text)).unicodeScalars) == Array(expected.unicodeScalars))
        let element = html(.element("p", [("title", text)], text))
        #expect(Array(element.unicodeScalars) == Array("<p title=\"\(expected)\">\(expected)</p>".unicodeScalars))
    }

    @Test("Control characters are replaced, but for tabs and line ends")
    func controls() {
        #expect(
            Markup.escaped("a\u{0}b\u{1B}c\u{7F}d\u{9F}e\u{FFFE}\u{FFFF}")
                == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}\u{FFFD}")
        #expect(Markup.escaped("a\tb\nc") == "a\tb\nc")
        #expect(Markup.escaped("a\r\nb") == "a\u{FFFD}\nb")
    }

    @Test("An element of HTML that has no end tag gets none")
    func ends() {
        let form = Markup.element("p", [.element("input", [("name", "a")], []), .element("br", []), .element("b", [])])
        #expect(html(form) == #"<p><input name="a"><br><b></b></p>"#)
    }

    @Test("A page is HTML in English, with its styles as they are written, and no more than it is given")
    func page() throws {
        let page = PageHTML.page("a < b", [.element("p", [], "\"")])
        let (start, end) = (try #require(page.range(of: "<style>")), try #require(page.range(of: "</style>")))
        #expect(
            page[..<start.lowerBound] == """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8">\
                <meta name="viewport" content="width=device-width, initial-scale=1"><title>a &lt; b</title>
                """)
        #expect(page[start.upperBound..<end.lowerBound].contains("main { max-width: 40rem;"))
        #expect(
            page[end.upperBound...] == "</head><body><main><h1>a &lt; b</h1><p>&quot;</p></main></body></html>\n")
    }
}
