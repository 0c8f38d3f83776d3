import Foundation

/// README.md, a file of docs/ or a page of a DocC catalog, parsed.
struct Readme {
    /// The path of the file relative to the top of the repository.
    let path: String
    let text: String

    init(_ path: String = "README.md") throws {
        self.path = path
        text = try Repository.text(Repository.root.appending(path: path))
    }

    /// README.md and every file of docs/.
    static func all() throws -> [Readme] {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "docs").path)
        return try [Readme()] + names.filter { $0.hasSuffix(".md") }.sorted().map { try Readme("docs/" + $0) }
    }

    /// Every page of the libraries' DocC catalogs.
    static func catalogs() throws -> [Readme] {
        try Repository.targets().flatMap { target, folder in
            let catalog = folder.appending(path: "\(target).docc")
            guard FileManager.default.fileExists(atPath: catalog.path) else { return [Readme]() }
            let path = catalog.pathComponents.suffix(4).joined(separator: "/")
            return try FileManager.default.contentsOfDirectory(atPath: catalog.path).filter { $0.hasSuffix(".md") }
                .sorted()
                .map { try Readme("\(path)/\($0)") }
        }
    }

    /// Its links within the repository: the path, which is empty for its own, and the anchor, which is empty for none.
    var links: [(path: String, anchor: String)] {
        text.matches(of: /\]\(([^)#]*)#?([^)]*)\)/).map { (String($0.1), String($0.2)) }
            .filter { !$0.path.contains("://") }
    }

    /// The anchors of its headings.
    var anchors: Set<String> {
        Set(
            text.matches(of: /(?m)^#+ (.+)$/).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                    .replacing(" ", with: "-")
            })
    }

    /// What stands between backticks and begins with a folder of the repository.
    var namedPaths: [String] {
        // Line by line: the fences of blocks are backticks, too.
        text.split(separator: "\n").flatMap { Self.words(in: String($0)) }
            .filter { $0.prefixMatch(of: /(Sources|Tests|Scripts|Vectors|docs)\//) != nil }
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

    /// The texts between backticks.
    static func words(in text: String) -> [String] {
        text.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    private static func cells(of row: String) -> [String] {
        row.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
