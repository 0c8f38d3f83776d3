import ArgumentParser
import Doctor
import Foundation
import TemporaryFolders
import Testing
@testable import ServiceSetup
@testable import LNURLCommand
import enum ServiceSetup.ExitStatus

@Suite("The documents", .timeLimit(.minutes(5)))
struct DocumentTests {
    private let architecture: Readme
    private let operating: Readme
    private let manual: Readme

    init() throws {
        architecture = try Readme("docs/architecture.md")
        operating = try Readme("docs/operating.md")
        manual = try Readme("docs/lnurl.md")
    }

    @Test("The README has at most 150 lines")
    func length() throws {
        #expect(try Readme().text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test("Every link within the repository leads to a file, and to a heading of it if it names one")
    func links() throws {
        let documents = try Readme.all()
        let anchors = Dictionary(
            uniqueKeysWithValues: documents.map { (Repository.root.appending(path: $0.path).path, $0.anchors) })
        for document in documents {
            let own = Repository.root.appending(path: document.path)
            for (path, anchor) in document.links {
                let target = path.isEmpty ? own : own.deletingLastPathComponent().appending(path: path)
                let file = target.standardized.path
                #expect(FileManager.default.fileExists(atPath: file), "\(document.path): \(path)")
                let isThere = anchor.isEmpty || anchors[file]?.contains(anchor) == true
                #expect(isThere, "\(document.path): \(path)#\(anchor)")
            }
        }
    }

    @Test("Every path of this repository that is named leads to a file or a folder")
    func paths() throws {
        for document in try Readme.all() {
            for words in document.namedPaths {
                let path = words.prefix { $0 != " " }
                let file = Repository.root.appending(path: String(path)).path
                #expect(FileManager.default.fileExists(atPath: file), "\(document.path): \(path)")
            }
        }
    }

    @Test("Every target stands in the table of folders once, with a mark unless it is small, and nothing else does")
    func targets() throws {
        let manifest = try Manifest(Repository.manifest())
        var named: [String: Bool] = [:]
        for row in architecture.rows(below: "folder", "target", "holds") where row[0] != "`System`" {
            let target = try #require(Readme.words(in: row[1]).first)
            #expect(named.updateValue(!row[1].hasSuffix("*"), forKey: target) == nil, "\(target)")
        }
        #expect(
            named
                == Dictionary(
                    uniqueKeysWithValues: manifest.dependencies.keys.map { ($0, manifest.small.contains($0)) }))
        #expect(manifest.libraries.isSubset(of: named.keys))
    }

    @Test("Every setting is explained as `config reference` prints it")
    func settings() throws {
        #expect(try Readme("docs/configuration.md").text == SettingReference.markdown)
    }

    @Test("Every metric stands in the table and in the help once, and nothing else does")
    func metrics() throws {
        let explained = operating.rows(below: "metric", "counts").flatMap { Readme.words(in: $0[0]) }
        var counted: Set<String> = []
        var helped: Set<String> = []
        for file in Repository.swiftFiles(below: Repository.sources) {
            let names = try Set(Repository.text(file).matches(of: /\bresponder_[a-z_]+/).map { String($0.0) })
            if file.lastPathComponent == "MetricHelp.swift" { helped = names } else { counted.formUnion(names) }
        }
        #expect(explained.sorted() == counted.sorted())
        #expect(helped == counted)
    }

    @Test("The dashboard and the alerts name metrics that exist, and each alert has a heading")
    func monitoring() throws {
        let explained = Set(operating.rows(below: "metric", "counts").flatMap { Readme.words(in: $0[0]) })
        let alerts = try Repository.text(Repository.root.appending(path: "docs/alerts.yaml"))
        let dashboard = try Repository.text(Repository.root.appending(path: "docs/grafana.json"))
        for name in (alerts + dashboard).matches(of: /\bresponder_[a-z_]+/).map({ String($0.0) }) {
            #expect(explained.contains(name.replacing(/_(bucket|sum|count)$/, with: "")), "\(name)")
        }
        for alert in alerts.matches(of: /- alert: (\w+)/).map(\.1) {
            #expect(operating.text.contains("\n### \(alert)\n"), "\(alert)")
            #expect(alerts.contains("operating.md#\(alert.lowercased())"), "\(alert)")
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
                    SettingSources(flags: [:], environment: [:], file: ("the example", Array(text.utf8))))
            }
        }
    }

    @Test("Every key of every kind of node is named")
    func nodes() {
        for kind in NodeKinds.all {
            #expect(operating.text.contains("kind: \(kind.word)"))
            for key in kind.allRows.map({ $0.key }) + kind.nested {
                #expect(operating.text.contains(key), "\(kind.word): \(key)")
            }
        }
    }

    @Test("The exit codes of both programs match the code")
    func exitCodes() {
        #expect(
            operating.rows(below: "exit code", "meaning")
                == [["0", "done"]] + ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] })
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

    @Test("Every check of the doctor is in the table of its document, in its group and in order")
    func checks() throws {
        let named = try Readme("docs/doctor.md").rows(below: "group", "checks").map { Readme.words(in: $0[1]) }
        #expect(named == CheckGroup.all.map { $0.checks.map(\.name) })
    }

    @Test("The version of the vectors is the latest of their change log")
    func vectorVersion() throws {
        let folder = Repository.root.appending(path: "Vectors")
        let version = try Repository.text(folder.appending(path: "VERSION")).trimmingCharacters(in: .newlines)
        let changes = try Repository.text(folder.appending(path: "CHANGELOG.md"))
        #expect(changes.firstMatch(of: /(?m)^## (.+)$/)?.1 == Substring(version))
    }

    /// The commands that can be run, as typed after the program's name.
    private static func paths(of command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.flatMap { subcommand in
            let inner = paths(of: subcommand).map { subcommand._commandName + " " + $0 }
            return inner.isEmpty ? [subcommand._commandName] : inner
        }
    }
}
