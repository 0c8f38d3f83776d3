import LightningCoding
import Testing

@testable import LNURLCommand

@Suite("Pages for people", .timeLimit(.minutes(5)))
struct PageTests {
    private var page: Page {
        var page = Page()
        page.add(title: "Title")
        page.add("a", "1")
        page.add("longer", "2")
        page.add("absent", nil)
        page.add([.passed("check", "good"), .warning("x", "odd"), .failed("y", "bad")])
        return page
    }

    @Test("Values and checks are aligned in a column")
    func column() {
        #expect(
            page.text(TextStyle(hasColors: false)) == """
                Title
                  a        1
                  longer   2

                  ✓ check  good
                  ! x      odd
                  ✗ y      bad

                """)
    }

    @Test("Colors are used only where supported")
    func colors() {
        #expect(page.text(TextStyle(hasColors: true)).contains("\u{1B}[32m✓\u{1B}[0m"))
        #expect(!page.text(TextStyle(hasColors: false)).contains("\u{1B}"))
    }

    @Test(
        "Control and bidirectional characters are shown by number; emoji and accents are kept",
        arguments: [
            ("a\u{1B}b", "a\\u{1b}b"), ("a\nb", "a ⏎ b"), ("\u{202E}", "\\u{202e}"), ("\u{9B}", "\\u{9b}"),
            ("é 👩‍🚀 ₿", "é 👩‍🚀 ₿"),
        ])
    func printable(text: String, expected: String) {
        #expect(text.printable == expected)
    }
}
