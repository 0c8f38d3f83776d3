import Doctor
import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether to use colors: on a terminal that supports them, unless `NO_COLOR` is set.
struct TextStyle {
    let hasColors: Bool

    func bold(_ text: String) -> String { colored(text, "1") }

    func faint(_ text: String) -> String { colored(text, "2") }

    func mark(_ verdict: Verdict) -> String {
        switch verdict {
        case .passed: colored("✓", "32")
        case .warning: colored("!", "33")
        case .failed: colored("✗", "31")
        case .skipped: faint("-")
        }
    }

    private func colored(_ text: String, _ code: String) -> String {
        hasColors ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension TextStyle {
    init(for stream: StandardStream) {
        let noColor = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
        hasColors = stream.isTerminal && !noColor && !isDumb
    }
}
