import Foundation

/// README.md, taken apart.
struct Readme {
    let text: String

    init() throws {
        text = try Repository.text(Repository.root.appending(path: "README.md"))
    }

    /// The rows of the tables that begin with these headings, each with its cells.
    func rows(below headings: String...) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let head = "| " + headings.joined(separator: " | ") + " |"
        return lines.indices.filter { lines[$0] == head }.flatMap { index in
            lines[(index + 2)...].prefix { $0.hasPrefix("|") }.map(Self.cells)
        }
    }

    /// The contents of the fenced blocks in a language.
    func blocks(in language: String) -> [String] {
        text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    /// What stands between backticks in a text.
    static func words(in text: String) -> [String] {
        text.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    private static func cells(of row: String) -> [String] {
        row.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
