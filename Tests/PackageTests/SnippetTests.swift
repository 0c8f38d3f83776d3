import Foundation
import Testing

@Suite("Swift code in the documents", .timeLimit(.minutes(5)))
struct SnippetTests {
    @Test("Every block of Swift is a snippet of a test, word for word, and every snippet is in a document")
    func blocks() throws {
        let documents = try Readme.all() + Readme.catalogs()
        let blocks = documents.flatMap { $0.blocks(in: "swift") }
        var snippets: [Snippet] = []
        for file in Repository.swiftFiles(below: Repository.tests) where file.lastPathComponent != "SnippetTests.swift"
        {
            snippets += Snippet.all(in: try Repository.text(file))
        }
        #expect(!snippets.isEmpty)
        for document in documents {
            for block in document.blocks(in: "swift") {
                let isTested = snippets.contains { $0.code == block }
                #expect(isTested, "\(document.path): no snippet is\n\(block)")
            }
        }
        for snippet in snippets {
            let isShown = blocks.contains(snippet.code)
            #expect(isShown, "\(snippet.name): no document has\n\(snippet.code)")
        }
    }

    @Test("Every catalog has a page for its module and an article")
    func catalogs() throws {
        let pages = try Readme.catalogs().map(\.path)
        #expect(!pages.isEmpty)
        for (catalog, pages) in Dictionary(grouping: pages, by: { ($0 as NSString).deletingLastPathComponent }) {
            let name = ((catalog as NSString).lastPathComponent as NSString).deletingPathExtension
            #expect(pages.contains("\(catalog)/\(name).md"))
            #expect(pages.count > 1, "\(catalog)")
        }
    }

    @Test("A snippet is what is between its marks, without their indentation")
    func parsing() {
        let text = "func f() {\n    // snippet: a\n    if b {\n        c()\n    }\n\n    d()\n    // end\n    e()\n}\n"
        #expect(Snippet.all(in: text) == [Snippet(name: "a", code: "if b {\n    c()\n}\n\nd()")])
    }
}

/// Code of a test that a document shows.
private struct Snippet: Equatable {
    let name: String
    let code: String

    static func all(in text: String) -> [Snippet] {
        text.matches(of: /(?m)^( *)\/\/ snippet: (.+)\n((?s:.*?))^ *\/\/ end$/).map { match in
            let lines = match.3.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let code = lines.map { $0.hasPrefix(match.1) ? $0.dropFirst(match.1.count) : $0 }
            return Snippet(name: String(match.2), code: code.joined(separator: "\n"))
        }
    }
}
