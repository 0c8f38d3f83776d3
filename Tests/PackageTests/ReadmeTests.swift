import ArgumentParser
import Foundation
import TemporaryFolders
import Testing

@testable import ServiceSetup
@testable import LNURLCommand

@Suite("The README", .timeLimit(.minutes(4)))
struct ReadmeTests {
    private let readme: Readme
    private let manual: Readme

    init() throws {
        readme = try Readme()
        manual = try Readme("docs/lnurl.md")
    }

    @Test("Every link within the repository leads to a file")
    func links() throws {
        for document in try Readme.all() {
            let folder = Repository.root.appending(path: document.path).deletingLastPathComponent()
            for link in document.links {
                let file = folder.appending(path: link).path
                #expect(FileManager.default.fileExists(atPath: file), "\(document.path): \(link)")
            }
        }
    }

    @Test("Every library is named")
    func librariesAreNamed() throws {
        for library in Manifest(try Repository.manifest()).libraries {
            #expect(readme.text.contains("`\(library)`"), "\(library)")
        }
    }

    @Test("Every setting is in the table once, with its default, and nothing else is")
    func settings() throws {
        var explained: [String] = []
        for row in readme.rows(below: "key", "default", "meaning") {
            let keys = Readme.words(in: row[0])
            let each = row[1].components(separatedBy: ", ")
            let defaults = each.count == keys.count ? each : keys.map { _ in row[1] }
            for (key, standard) in zip(keys, defaults) { try check(key, standard) }
            explained += keys
        }
        #expect(explained.sorted() == (SettingTable.rows.map(\.key) + Self.sectionsOfTable).sorted())
    }

    /// Nodes have their own section of the README.
    private static let sectionsOfTable = SettingTable.sections.map(\.key).filter { $0 != SettingTable.backends.key }

    private func check(_ key: String, _ standard: String) throws {
        if Self.sectionsOfTable.contains(key) { return #expect(standard.isEmpty) }
        let row = try #require(SettingTable.row(key), "\(key)")
        switch standard {
        case let text where text.wholeMatch(of: /`[^`]+`/) != nil:
            #expect(row.standardText == String(text.dropFirst().dropLast()), "\(key)")
        case "none": #expect(row.standardText == nil || row.standardText == "none", "\(key)")
        default:
            // Described in words.
            #expect(row.standardText == nil && !standard.isEmpty, "\(key)")
        }
    }

    @Test("Every example of a configuration is valid, with the files that it names")
    func configurations() throws {
        let folder = TemporaryFolder()
        let blocks = try Readme.all().flatMap { $0.blocks(in: "yaml") }
        #expect(!blocks.isEmpty)
        for block in blocks {
            var text = block
            for line in block.matches(of: /-file: (\S+)/) {
                let file = "\(folder.path)/\(line.1.split(separator: "/").last ?? "")"
                try writeFile("00\n".utf8, to: file)
                text = text.replacing("-file: \(line.1)", with: "-file: \(file)")
            }
            #expect(throws: Never.self) {
                try ServiceConfiguration(
                    SettingSources(flags: [:], environment: [:], file: ("README.md", Array(text.utf8))))
            }
        }
    }

    @Test("Every key of every kind of node is named")
    func nodes() {
        for kind in NodeKinds.all {
            #expect(readme.text.contains("kind: \(kind.word)"))
            for key in kind.allRows.map({ $0.key }) + kind.nested {
                #expect(readme.text.contains(key), "\(kind.word): \(key)")
            }
        }
    }

    @Test("The exit codes of both programs match the code")
    func exitCodes() {
        #expect(
            readme.rows(below: "exit code", "meaning")
                == [["0", "done"]] + ServiceSetup.ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] })
        #expect(
            manual.rows(below: "exit status", "meaning")
                == LNURLCommand.ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] })
    }

    @Test("Every command of lnurl is in the table, and nothing else is")
    func commands() {
        let named = manual.rows(below: "command", "what it does").map { row in
            row[0].dropFirst().prefix { $0.isLowercase || $0 == "-" || $0 == " " }
        }
        #expect(
            named.map { $0.trimmingCharacters(in: .whitespaces) }.sorted() == Self.paths(of: LNURLTool.self).sorted())
    }

    /// The commands that can be run, as typed after the program's name.
    private static func paths(of command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.flatMap { subcommand in
            let inner = paths(of: subcommand).map { subcommand._commandName + " " + $0 }
            return inner.isEmpty ? [subcommand._commandName] : inner
        }
    }
}
