import Foundation
import Testing

@Suite("Source files", .timeLimit(.minutes(5)))
struct SourceFileTests {
    private static let files =
        Repository.swiftFiles(below: Repository.sources) + Repository.swiftFiles(below: Repository.tests)

    @Test("No file is longer than 400 lines")
    func filesAreShort() throws {
        for file in Self.files {
            let lines = try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 400, "\(file.lastPathComponent) has \(lines) lines")
        }
    }

    @Test("No file has a meaningless name")
    func filesAreNamedAfterWhatTheyHold() {
        for file in Self.files {
            let name = file.lastPathComponent
            #expect(!name.contains(/(?i)util|helper|manager|misc|common/), "\(name)")
        }
    }

    @Test("No type has the name of its module")
    func typesAndModulesDiffer() throws {
        for (target, folder) in try Repository.targets() {
            let declaration = try Regex(#"\b(?:struct|enum|class|actor|protocol|typealias) \#(target)\b"#)
            for file in Repository.swiftFiles(below: folder) {
                #expect(!(try Repository.text(file)).contains(declaration), "\(file.lastPathComponent)")
            }
        }
    }

    @Test("What programs store and what is due has the ledger's time, not this machine's")
    func timesAreTheLedgers() throws {
        // The date in a backup's manifest, and of log lines.
        let others = ["Backup.swift", "StructuredLogHandler.swift"]
        for program in ["ServiceCommand", "ServiceSetup", "OneShotCommand"] {
            let folder = try #require(try Repository.targets()[program])
            for file in Repository.swiftFiles(below: folder) where !others.contains(file.lastPathComponent) {
                let usesMachine = try Repository.text(file).contains(/UnixTime\.now|[ (:]\.now\(\)/)
                #expect(!usesMachine, "\(file.lastPathComponent)")
            }
        }
    }
}
