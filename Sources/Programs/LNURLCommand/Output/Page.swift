import Doctor
import LightningCoding

/// Lines for people: titles, labeled values in a column, checks with their marks.
struct Page {
    private enum Line {
        case text(String)
        case title(String)
        case field(String, String)
        case check(Check)
        case detail(String, String)
    }

    private var lines: [Line] = []

    /// Adds a line unchanged. Only for our own text: use ``printable`` for untrusted text.
    mutating func add(_ text: String) {
        lines.append(.text(text))
    }

    mutating func add(title: String) {
        lines.append(.title(title.printable))
    }

    /// Adds a labeled value; a missing value is omitted.
    mutating func add(_ label: String, _ value: String?) {
        if let value { lines.append(.field(label, value.printable)) }
    }

    /// Adds checks after an empty line.
    mutating func add(_ checks: [Check]) {
        guard !checks.isEmpty else { return }
        lines.append(.text(""))
        for check in checks { add(check) }
    }

    /// Adds the checks that did not pass, and how many did.
    mutating func add(summaryOf checks: [Check]) {
        add(checks.filter { $0.verdict != .passed })
        let passed = checks.count { $0.verdict == .passed }
        if passed == checks.count { lines.append(.text("")) }
        if passed > 0 { add(Check.passed("checks", passed == 1 ? "1 passed" : "\(passed) passed")) }
    }

    mutating func add(invoice: String, _ checks: [Check]) {
        add("")
        add(checks.haveFailed ? "Do not pay this invoice:" : "Pay:")
        add(invoice)
    }

    mutating func add(_ check: Check) {
        lines.append(.check(Check(name: check.name, verdict: check.verdict, detail: check.detail.printable)))
    }

    mutating func add(detail label: String, _ text: String) {
        lines.append(.detail(label, text.printable))
    }

    func text(_ style: TextStyle) -> String {
        let labels = lines.compactMap { line in
            switch line {
            case .field(let label, _): label.count
            case .check(let check): check.name.count + 2
            case .text, .title, .detail: nil
            }
        }
        let width = (labels.max() ?? 0) + 2
        return lines.map { line in
            switch line {
            case .text(let text): text
            case .title(let text): style.bold(text)
            case .field(let label, let value): "  " + style.faint(Self.padded(label, width)) + value
            case .detail(let label, let text): "      " + style.faint(Self.padded(label, 8)) + text
            case .check(let check):
                "  \(style.mark(check.verdict)) " + Self.padded(check.name, width - 2) + check.detail
            }
        }.map { $0 + "\n" }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
