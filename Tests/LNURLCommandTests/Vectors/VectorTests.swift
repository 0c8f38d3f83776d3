import Foundation
import Testing
@testable import LNURLCommand

/// `Vectors/` of this package.
let vectors = VectorFolder(
    directory: #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/Vectors")

@Suite("Every vector file", .timeLimit(.minutes(4)))
struct VectorTests {
    @Test("passes in all its cases", arguments: try vectors.paths())
    func passes(path: String) async throws {
        let report = await VectorRegistry.all.run(try vectors.file(path))
        #expect(report.remarks == [])
        #expect(report.failed == 0)
        #expect(report.passed > 0)
    }

    @Test("is in the report on the whole folder")
    func wholeFolder() async throws {
        let report = try await VectorRegistry.all.run(vectors)
        #expect(report.isSuccess)
        #expect(report.files.map(\.path) == (try vectors.paths()))
    }

    @Test("is there for every runner of the registry")
    func everyRunnerHasAFile() throws {
        let files = try vectors.paths().map { try vectors.file($0) }
        let subjects = Set(files.map { "\($0.folder), \($0.subject)" })
        #expect(VectorRegistry.all.subjects.subtracting(subjects) == [])
    }

    @Test("is counted by kind in the README")
    func counted() throws {
        let cases = try vectors.paths().flatMap { try vectors.file($0).cases }
        let counts = Dictionary(grouping: cases, by: \.kind).mapValues(\.count)
        let readme = try String(contentsOfFile: vectors.directory + "/README.md", encoding: .utf8)
        for kind in VectorCase.Kind.allCases {
            let row = readme.split(separator: "\n").first { $0.contains("| `\(kind.rawValue)` |") }
            #expect(row?.hasSuffix("| \(counts[kind] ?? 0) |") == true, "\(kind.rawValue): \(counts[kind] ?? 0)")
        }
    }
}
