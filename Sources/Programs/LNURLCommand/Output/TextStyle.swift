#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether to use colours: on a terminal that supports them, unless `NO_COLOR` is set.
struct TextStyle {
    let hasColours: Bool

    init(hasColours: Bool) {
        self.hasColours = hasColours
    }

    /// The style for a file descriptor.
    init(for descriptor: Int32) {
        let noColour = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
        hasColours = isatty(descriptor) == 1 && !noColour && !isDumb
    }

    func bold(_ text: String) -> String { coloured(text, "1") }

    func faint(_ text: String) -> String { coloured(text, "2") }

    func mark(_ verdict: Check.Verdict) -> String {
        switch verdict {
        case .passed: coloured("✓", "32")
        case .warning: coloured("!", "33")
        case .failed: coloured("✗", "31")
        case .skipped: faint("-")
        }
    }

    private func coloured(_ text: String, _ code: String) -> String {
        hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
